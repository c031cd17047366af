import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  documentPathOf,
  encodeName,
  filePathsOf,
  foldPath,
  isConfigurationPath,
  isPortablePath,
} from "../src/index.ts";

const pathOf = (role: string) => `roles/${encodeName(role)}.yaml`;
const filesOf = (...roles: string[]) => [...filePathsOf(roles.map(pathOf)).values()];

describe("the path of a file", () => {
  it.each(["Sales", "straße", "a.b", "Zeta \u001b[J", "%2E", "Café", "한국", "a b", " a ", "İ"])(
    "is the path of the document for %j",
    (name) => {
      expect(filesOf(name)).toEqual([pathOf(name)]);
    },
  );

  it.each([
    ["con", "roles/%63on.yaml"],
    ["CON", "roles/%43%4F%4E.yaml"],
    ["nul", "roles/%6Eul.yaml"],
    ["COM¹", "roles/%43%4F%4D%C2%B9.yaml"],
    ["\u212b", "roles/%E2%84%AB.yaml"],
    ["\u1112\u1161\u11ab", "roles/%E1%84%92%E1%85%A1%E1%86%AB.yaml"],
    ["Cafe\u0301", "roles/Cafe%CC%81.yaml"],
  ])("escapes %j", (name, path) => {
    expect(filesOf(name)).toEqual([path]);
    expect(documentPathOf(path)).toBe(pathOf(name));
  });

  it("escapes names that are equal but for case, and leaves the one in small letters", () => {
    expect(filesOf("Sales", "sales", "Other")).toEqual([
      ...["roles/%53ales.yaml", "roles/sales.yaml", "roles/Other.yaml"],
    ]);
    expect([
      ...filePathsOf(["tables/Fleet/A.yaml", "tables/fleet/A.yaml", "views/b/C.sql"]).values(),
    ]).toEqual(["tables/%46leet/A.yaml", "tables/fleet/A.yaml", "views/b/C.sql"]);
  });

  it("escapes the name of a device in a template's key, with its texts", () => {
    const texts = ["templates/con.en.yaml", "templates/con.en.text.liquid"];
    const files = [...filePathsOf(texts).values()];
    expect(files).toEqual(["templates/%63on.en.yaml", "templates/%63on.en.text.liquid"]);
    expect(files.map(documentPathOf)).toEqual(texts);
  });

  it("continues a name that is too long in a folder", () => {
    const [path = ""] = filesOf("…".repeat(80));
    expect(path.split("/").map((name) => name.length)).toEqual([5, 199, 199, 199, 131]);
    expect(documentPathOf(path)).toBe(pathOf("…".repeat(80)));
  });

  it("is read in NFC if an archive has decomposed it", () => {
    expect(documentPathOf("roles/Cafe\u0301.yaml")).toBe("roles/Café.yaml");
    expect(documentPathOf("roles/\u1112\u1161\u11ab.yaml")).toBe("roles/한.yaml");
    expect(documentPathOf("roles/\u212b.yaml")).toBe("roles/\u212b.yaml");
  });

  it("returns each document, is portable, and differs from every other on each file system", () => {
    const letters = fc.constantFrom(
      ..."aAbB éÉ%./ßſsKk\u212a\u0301…字𝄞",
      "con",
      "nul",
      ". ",
      "e\u0301",
    );
    const name = fc.array(letters, { minLength: 1, maxLength: 255 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 8 }), (names) => {
        const files = filePathsOf(names.map(pathOf));
        for (const [document, file] of files) {
          expect(documentPathOf(file)).toBe(document);
          expect(isPortablePath(file)).toBe(true);
        }
        expect(new Set([...files.values()].map(foldPath)).size).toBe(files.size);
      }),
    );
  });
});

describe("a path from elsewhere", () => {
  it.each([
    ...["../../escape.txt", "/etc/passwd", "roles/../x.yaml", "roles//x.yaml", "roles\\x.yaml"],
    ...["C:\\x.yaml", "roles/x.yaml:ads", "roles/.x.yaml", "roles/x.exe", ".git/config.yaml"],
    ...["roles/NUL.yaml", "roles/a\u001b.yaml", "roles/x .yaml/y.yaml ", "bin/x.yaml", "x.yaml"],
    ...[
      "roles/",
      "roles",
      "",
      `roles/${"a".repeat(260)}.yaml`,
      "roles/a./b.yaml",
      "roles/./a.yaml",
      "roles/a.yaml/b.yaml",
    ],
  ])("is not portable: %j", (path) => {
    expect(isPortablePath(path)).toBe(false);
  });

  it("belongs to a configuration by its folder", () => {
    expect(
      ["settings.yaml", "environments/a.yaml", "views/a/b.sql"].every(isConfigurationPath),
    ).toBe(true);
    expect(
      ["README.md", "roles", "src/roles/a.yaml", "roles/README.md", "views/users/show.pug"].some(
        isConfigurationPath,
      ),
    ).toBe(false);
  });
});
