/**
 * Programs that documents may download. The names of our own packages are not in the list, because no registry has them:
 * a person who registers such a name would receive the reader's token.
 */
const tools = new Set(["node", "openapi-typescript", "pnpm"]);

/** Commands that download a program and run it. */
const runner =
  /(?<![\w@.-])(?:npx(?:\.cmd)?|pnpx|bunx|(?:npm|pnpm|yarn) dlx|npm (?:exec|x))(?![\w/.-])/g;

const packageFlags = new Set(["-p", "--package"]);
/** Other flags whose value is the next word. An unknown flag has none, so that its value is checked as a name. */
const flagsWithValue = new Set([
  ...["-c", "--call", "-w", "--workspace", "--cache", "--loglevel", "--prefix", "--registry"],
  ...["--userconfig"],
]);

/** One line of each download that is not in the list or has no version, as `path:line: command → what to write`. */
export function findNpxFaults(path: string, text: string): string[] {
  return Array.from(text.matchAll(runner)).flatMap((match) => {
    const place = `${path}:${text.slice(0, match.index).split("\n").length}`;
    const words = wordsOf(text.slice(match.index + match[0].length));
    if (words === undefined) return [`${place}: "${match[0]}" → write its arguments after it`];
    return packagesOf(words)
      .filter((name) => !isPinnedTool(name))
      .map((name) => `${place}: "${match[0]} ${name}" → a tool of npx-names.ts, with its version`);
  });
}

/** The words after a command of a shell, or its arguments in JSON, TOML or TypeScript; undefined if there are none. */
function wordsOf(following: string): string[] | undefined {
  // The backslash of a continued line, or of a quoted text within another.
  const text = following.replaceAll("\\", " ");
  if (/^ *["']/.test(text)) {
    const list =
      /^ *["'],?\s*(?:["']?args["']?\s*[:=]\s*)?\[([^\]]*)\]/.exec(text) ??
      /^ *["'],([^[\]{}]*)\]/.exec(text);
    return list?.[1]?.split(/[\s,]+/).flatMap(withoutQuotes);
  }
  // The name alone, as `npx` or at the end of a sentence.
  if (!/^\s/.test(text)) return [];
  const [command = ""] = /^[^`|;&)]*/.exec(text) ?? [];
  return command.split(/\s+/).flatMap(withoutQuotes);
}

function withoutQuotes(word: string): string[] {
  const plain = word.replaceAll(/^["']+|["',.:]+$/g, "");
  return plain === "" ? [] : [plain];
}

/** The packages that the flags name; without such a flag, the first word that is no flag. */
function packagesOf(words: readonly string[]): string[] {
  const packages: string[] = [];
  let flag = "";
  for (const word of words) {
    const [name = "", value] = word.split("=", 2);
    if (packageFlags.has(flag)) packages.push(word);
    else if (packageFlags.has(name) && value !== undefined) packages.push(value);
    else if (!flagsWithValue.has(flag) && !word.startsWith("-")) {
      return packages.length > 0 ? packages : [word];
    }
    flag = packageFlags.has(flag) || flagsWithValue.has(flag) ? "" : word;
  }
  return packages;
}

function isPinnedTool(name: string): boolean {
  const [, tool = ""] = /^(@?[^@]+)@\d[\w.+-]*$/.exec(name) ?? [];
  return tools.has(tool);
}
