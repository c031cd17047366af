/** A word or phrase that the project does not use, and the plain English for it. */
type PrivateWord = { readonly pattern: RegExp; readonly instead: string };

// Each phrase stands here because readers had to read its sentence twice. CONTRIBUTING.md gives the rules behind the list.
const privateWords: readonly PrivateWord[] = [
  { pattern: /\bwhoever\b/i, instead: "name the role: the caller, the worker, this process" },
  { pattern: /\bwhomever\b/i, instead: "name the role" },
  { pattern: /\bwhither\b/i, instead: "destination" },
  { pattern: /\bwho comes\b/i, instead: "a caller that arrives" },
  { pattern: /\b(hears?|heard) (of|from|it|nothing)\b/i, instead: "is notified, receives" },
  { pattern: /\b(tells?|told) of\b/i, instead: "reports, describes" },
  { pattern: /\b(is|are|was|were) told\b/i, instead: "is notified, receives, is reported" },
  { pattern: /\bsees? to it\b/i, instead: "ensures" },
  {
    pattern: /\b(is|are) no \w+ any ?more\b/i,
    instead: "the state that holds now: deleted, expired",
  },
  { pattern: /\bone that is not there\b/i, instead: "a missing one" },
  { pattern: /\bworked out\b/i, instead: "computed" },
  { pattern: /\bgladly\b/i, instead: "the preference, by its name" },
  { pattern: /\baloud\b/i, instead: "with a warning" },
  { pattern: /\b(spec|contract) §/i, instead: "the rule itself, or a link to a page of docs" },
  { pattern: /\bfair lines?\b/i, instead: "per-user semaphore" },
  { pattern: /\bleads to nothing\b/i, instead: "has no value" },
  { pattern: /\bfarewell\b/i, instead: "Terminate message" },
];

/** One line of each private word in a text, as `path:line: word → what to write`. */
export function findPrivateWords(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    privateWords.flatMap(({ pattern, instead }) => {
      const word = pattern.exec(line)?.[0];
      return word === undefined ? [] : [`${path}:${index + 1}: "${word}" → ${instead}`];
    }),
  );
}
