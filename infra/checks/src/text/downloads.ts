/**
 * What a document or a program may download and run, with a version. The names of our own packages are not in the list, because
 * no registry has them: a person who registers such a name would receive the reader's token.
 */
const tools = new Map([
  ["node", "other versions of Node.js, published by its project"],
  ["openapi-typescript", "types for a client of another kind"],
  ["pnpm", "the package manager of this repository"],
  ["yarn", "Yarn 1, which installs our archives in a test"],
  ["@yarnpkg/cli-dist", "Yarn 4, which installs our archives in a test"],
]);
/** Actions of GitHub, and images of Docker Hub, whose owner we know. */
const owners = new Set(["actions/checkout", "actions/setup-node", "node", "postgres", "redis"]);
/** A registry that does not exist. Docker downloads an image without a host from Docker Hub, where `rowhouse` is not our name. */
const nowhere = /^(?:localhost|registry\.example\.com)\//;

const imageName =
  /^[ \t-]*(?:image|uses): *["']?([\w./-]+)|^FROM ([\w./-]+)|(?<![\w@./-])(rowhouse\/(?:gateway|data-api|admin-api|workflow-worker))\b/gm;
/** Places where our own names stand, each with its reason. */
const exceptions = new Map([
  // Its reader has reserved the names and published the packages in the steps before.
  ["docs/operations/release.md", new Set(["@rowhouse/client@next", "rowhouse@next"])],
  // The version of pnpm that `package.json` names.
  [".ci/run", new Set(["$(node"])],
]);

/** What the words after a subcommand are: packages; the first of them; the last part of a package's name. */
type Names = "all" | "first" | "initializer";
const subcommands: Readonly<Record<string, Readonly<Record<string, Names>>>> = {
  npm: {
    ...namesOf("all", "install i ins inst insta instal isnt isnta isntal isntall add"),
    ...namesOf("all", "install-test link ln update up upgrade udpate install-clean ci"),
    ...namesOf("first", "exec x dlx"),
    ...namesOf("initializer", "init create innit"),
  },
  pnpm: {
    ...namesOf("all", "install i add link ln update up upgrade"),
    ...namesOf("first", "dlx dx"),
    ...namesOf("initializer", "create"),
  },
  yarn: {
    ...namesOf("all", "add link up upgrade install"),
    ...namesOf("first", "dlx"),
    ...namesOf("initializer", "create"),
  },
  bun: {
    ...namesOf("all", "add a install i link update"),
    ...namesOf("first", "x"),
    ...namesOf("initializer", "create c"),
  },
  corepack: namesOf("all", "prepare use up install"),
  deno: namesOf("all", "add install i run"),
  pip: namesOf("all", "install"),
  pipx: namesOf("all", "install run"),
  uv: namesOf("all", "add"),
  gem: namesOf("all", "install"),
  cargo: namesOf("all", "add install"),
  brew: namesOf("all", "install"),
};
const aliases: Readonly<Record<string, string>> = { pn: "pnpm", yarnpkg: "yarn", pip3: "pip" };
const runners = new Set(["npx", "pnpx", "pnx", "bunx", "uvx"]);
const programs = [...Object.keys(subcommands), ...Object.keys(aliases), ...runners].join("|");
/** A package manager, under its name or as a download with a version. */
const manager = new RegExp(
  `(?<![\\w@./-])(${programs})(?:@[\\w.+^~-]+)?(?:\\.cmd)?(?![\\w/.@-])`,
  "g",
);

/** Words before the subcommand: `yarn global add`, `yarn workspace <name> add`. */
const prefixes = new Map([
  ["global", 1],
  ["workspace", 2],
]);
const packageFlags = new Set(["-p", "--package"]);
/** Other flags whose value is the next word. An unknown flag has none, so that its value is checked as a name. */
const flagsWithValue = new Set([
  ...["-c", "--call", "-w", "--workspace", "--cache", "--loglevel", "--prefix", "--registry"],
  ...["--userconfig", "--filter", "-F", "--dir", "-C", "--cwd", "--tag", "--omit", "--include"],
  ...["--pack-destination", "--conditions", "--store-dir"],
]);

/** One line of each download that is not in the list or has no version, as `path:line: command → what to write`. */
export function findDownloadFaults(path: string, text: string): string[] {
  const lineOf = (index: number) => `${path}:${text.slice(0, index).split("\n").length}`;
  return Array.from(text.matchAll(manager)).flatMap((match) => {
    const words = wordsOf(text, match.index + match[0].length);
    const [shown = "", program = ""] = match;
    const place = lineOf(match.index);
    if (words === undefined) {
      return runners.has(program) ? [`${place}: "${shown}" → write its arguments after it`] : [];
    }
    const { command, names } = downloadsOf(aliases[program] ?? program, shown, words);
    return names
      .filter((name) => !isAllowed(name) && exceptions.get(path)?.has(name) !== true)
      .map((name) => `${place}: "${command} ${name}" → a tool of downloads.ts, with its version`);
  });
}

function namesOf(names: Names, words: string): Record<string, Names> {
  return Object.fromEntries(words.split(" ").map((word) => [word, names]));
}

/** The packages that a command downloads, and the command before them. */
function downloadsOf(program: string, shown: string, words: readonly string[]) {
  if (runners.has(program)) return { command: shown, names: packagesOf(words, "first") };
  const { position, subcommand } = subcommandOf(words);
  const names = subcommands[program]?.[subcommand];
  const following = names === undefined ? [] : packagesOf(words.slice(position + 1), names);
  return { command: `${shown} ${subcommand}`, names: following };
}

function subcommandOf(words: readonly string[]): { position: number; subcommand: string } {
  let position = 0;
  for (;;) {
    const word = words[position];
    if (word === undefined) return { position, subcommand: "" };
    if (flagsWithValue.has(word)) position += 2;
    else if (word.startsWith("-")) position += 1;
    else if (prefixes.has(word)) position += prefixes.get(word) ?? 1;
    else return { position, subcommand: word };
  }
}

/** The words after a command of a shell, or its arguments in JSON, TOML, YAML or TypeScript; undefined if there are none. */
function wordsOf(text: string, start: number): string[] | undefined {
  const before = lastLine(text.slice(0, start));
  const rest = text.slice(start);
  // The backslash of a continued line, or of a quoted text within another.
  const following = rest.replaceAll(/\\\n/g, "  ").replaceAll("\\", " ");
  const [block] = /^["']?[ \t]*(?:\n[ \t]*- .*)+/.exec(following) ?? [];
  if (block !== undefined && /^[ \t]*- \S+$/.test(before)) {
    return block.split(/\n[ \t]*- /).flatMap(withoutQuotes);
  }
  // A list of YAML without quotes.
  if (/\[[^\]]*$/.test(before) && following.startsWith(",")) {
    return /^,([^\]]*)\]/
      .exec(following)?.[1]
      ?.split(/[\s,]+/)
      .flatMap(withoutQuotes);
  }
  if (/^ *["']/.test(following)) {
    const list =
      /^ *["'],?\s*(?:["']?args["']?\s*[:=]\s*)?\[([^\]]*)\]/.exec(following) ??
      /^ *["'],([^[\]{}]*)\]/.exec(following);
    return list?.[1]?.split(/[\s,]+/).flatMap(textOf);
  }
  // The name alone, as `npx` or at the end of a sentence, and a sentence in a comment of a program.
  if (!/^\s/.test(following) || isSentence(before)) return [];
  const isQuoted = before.replaceAll(/\\./g, "").split('"').length % 2 === 0;
  const quoted = /^(?:\\.|[^"\\])*/s.exec(rest)?.[0].length;
  const end = isInlineCode(text, start) ? /^[^`|;&)]*/ : /^[^`|;&)\n]*/;
  const [command = ""] = end.exec(isQuoted ? following.slice(0, quoted) : following) ?? [];
  return command.split(/\s+/).flatMap(withoutQuotes);
}

/** An element of a list. A variable belongs to the program, which has its text elsewhere. */
function textOf(word: string): string[] {
  return /^(?:["']|$)/.test(word) ? withoutQuotes(word) : ["<variable>"];
}

function isSentence(before: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(before) && before.split("`").length % 2 === 1;
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

/** Whether a position of Markdown is between two backticks, which may be on two lines. */
function isInlineCode(text: string, position: number): boolean {
  const paragraph = text.slice(text.lastIndexOf("\n\n", position) + 1, position);
  return paragraph.replaceAll("```", "").split("`").length % 2 === 0;
}

function withoutQuotes(word: string): string[] {
  const plain = word.replaceAll(/^["'`]+|["'`,.:]+$/g, "");
  return plain === "" ? [] : [plain];
}

/** The packages that the flags name, and those that are no flag. */
function packagesOf(words: readonly string[], names: Names): string[] {
  // With these, npx starts only what is installed.
  if (words.some((word) => word === "--no" || word === "--no-install")) return [];
  const packages: string[] = [];
  const isFirst = names !== "all";
  let flag = "";
  for (const word of words) {
    const [name = "", value] = word.split("=", 2);
    if (word.startsWith("#")) break;
    if (isFirst && packageFlags.has(flag)) packages.push(word);
    else if (isFirst && packageFlags.has(name) && value !== undefined) packages.push(value);
    else if (!flagsWithValue.has(flag) && !word.startsWith("-")) {
      if (isFirst) return packages.length > 0 ? packages : [initialized(word, names)];
      packages.push(word);
    }
    flag = (isFirst && packageFlags.has(flag)) || flagsWithValue.has(flag) ? "" : word;
  }
  return packages;
}

/** `npm create x` runs the package `create-x`. */
function initialized(name: string, names: Names): string {
  return names === "initializer" ? `create-${name}` : name;
}

/** Whether a name is a file, a placeholder, or a tool with a version. */
function isAllowed(written: string): boolean {
  // `alias@npm:package@1` installs the package.
  const name = written.replace(/^@?[^@]+@(?=\w+:)/, "").replace(/^npm:/, "");
  if (/^(?:\.{1,2}(?:\/|$)|\/|~\/|file:|link:|workspace:|<)/.test(name)) return true;
  if (/^[\w./-]+\.tgz$/.test(name)) return true;
  const [, tool = ""] = /^(@?[^@]+)@\d[\w.+-]*$/.exec(name) ?? [];
  return tools.has(tool);
}

/**
 * One line of each image and action that is downloaded from an owner whom we do not know: it would receive the secrets of the
 * service or of the pipeline.
 */
export function findImageFaults(path: string, text: string): string[] {
  if (!/\.(?:ya?ml|md)$|Dockerfile$/.test(path)) return [];
  return Array.from(text.matchAll(imageName)).flatMap((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? "";
    if (owners.has(name) || nowhere.test(name)) return [];
    const line = text.slice(0, match.index).split("\n").length;
    return [`${path}:${line}: "${name}" → localhost/${name}, or a name of downloads.ts`];
  });
}
