import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** Returns the texts of the program and of all chunks that it imports statically, by their names. */
async function loadedAtStart(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const add = async (name: string): Promise<void> => {
    if (texts.has(name)) return;
    const text = await readFile(`${dist}${name}`, "utf8");
    texts.set(name, text);
    const imports = text.matchAll(/^import .*"\.\/(?:chunks\/)?([^"/]+\.js)";$/gm);
    for (const [, chunk] of imports) await add(`chunks/${chunk}`);
  };
  await add("main.js");
  return texts;
}

it("the start loads no library that most installations rarely use", async () => {
  const loaded = await loadedAtStart();
  expect(loaded.size).toBeGreaterThan(1);
  const chunks = await readdir(`${dist}chunks`);
  for (const rare of ["create-mcp-answer", "nodemailer", "pgsql-deparser", "s3-storage"]) {
    const own = chunks.filter((name) => name.startsWith(`${rare}-`));
    expect(own, rare).not.toEqual([]);
    for (const name of own) expect([...loaded.keys()]).not.toContain(`chunks/${name}`);
  }
  for (const [name, text] of loaded) {
    for (const native of ["sharp", "libpg-query"]) {
      expect(text.includes(`)("${native}")`), `${name} loads ${native}`).toBe(false);
    }
  }
  // A package with native code that every sign-in needs, in the form that the check above looks for.
  expect(loaded.get("main.js")).toContain(`)("@node-rs/argon2")`);
});

it("the text that the start loads has at most 6.65 MB, one byte for each character", async () => {
  const texts = [...(await loadedAtStart()).values()].join("");
  expect(texts.length).toBeLessThanOrEqual(6_650_000);
  // V8 stores a text with one other character in two bytes for each.
  expect(/[^\0-\xff]/.test(texts)).toBe(false);
});
