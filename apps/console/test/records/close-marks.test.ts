import fc from "fast-check";
import { expect, it } from "vitest";
import { closeMarks } from "../../src/ui/isolated.tsx";

const mark = fc.constantFrom(
  ...["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"],
  ...["a", "ب", " ", "😀"],
);
const ends: Readonly<Record<string, string>> = {
  ...{ "\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c" },
  ...{ "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069" },
};

it("every direction mark that opens is closed in the text, and none closes what is around it", () => {
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), (letters) => {
      const open: string[] = [];
      for (const letter of closeMarks(letters.join(""))) {
        const end = ends[letter];
        if (end !== undefined) open.push(end);
        else if (letter === "\u202c" || letter === "\u2069") expect(open.pop()).toBe(letter);
      }
      expect(open).toEqual([]);
    }),
  );
});

it("a text whose marks are closed stays as it is, and no letter is lost", () => {
  expect(closeMarks("a \u2067مرحبا\u2069 b")).toBe("a \u2067مرحبا\u2069 b");
  expect(closeMarks("\u202egnp.exe")).toBe("\u202egnp.exe\u202c");
  expect(closeMarks("x\u2069\u202ey")).toBe("x\u202ey\u202c");
  fc.assert(
    fc.property(fc.array(mark), (letters) => {
      const plain = (text: string) => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "");
      expect(plain(closeMarks(letters.join("")))).toBe(plain(letters.join("")));
    }),
  );
});
