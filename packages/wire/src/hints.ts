// What programs of other languages send by mistake. Each hint begins with "; " and follows a message; it is empty if the text has
// no such form.

const pythonWord = /(?:^|[[:,\s])(True|False|None|NaN)(?=[\s,\]}]|$)/;
const singleQuoted = /^\s{0,9}[[{]\s{0,9}'/;

/** Returns a hint for a text that is not JSON. */
export function jsonHint(text: string): string {
  if (singleQuoted.test(text)) return "; JSON has double quotes: in Python use json.dumps";
  const [, word] = pythonWord.exec(text) ?? [];
  return word === undefined
    ? ""
    : `; ${word} is not JSON, which has true, false and null: in Python use json.dumps`;
}

const words: Readonly<Record<string, string>> = {
  null: "; for null use _null or _nnull",
  NULL: "; for null use _null or _nnull",
  None: "; None is a word of Python: for null use _null or _nnull",
  True: "; in an address true is written in small letters",
  False: "; in an address false is written in small letters",
  undefined: "; undefined is a word of JavaScript: its program has no value here",
  "[object Object]": "; an object was sent as text: send its fields, or JSON",
};

/** A time whose offset has lost its sign. */
const spacedOffset = /[0-9] [0-9]{2}(?::?[0-9]{2})?$/;

/** Returns a hint for the text of a value that its column cannot hold. */
export function valueHint(text: string): string {
  if (Object.hasOwn(words, text)) return words[text] ?? "";
  return spacedOffset.test(text) ? plusHint : "";
}

/** Follows the message for a text with a space in the place of a sign. */
export const plusHint = "; a + in an address is a space: write %2B";
