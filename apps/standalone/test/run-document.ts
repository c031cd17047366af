import { spawn } from "node:child_process";
import { once } from "node:events";

/** A block of commands of a document, and what the document shows as its output. */
export interface Example {
  readonly commands: string;
  /** Undefined where the document shows none. */
  readonly shown: string | undefined;
}

/** The `bash` blocks of a Markdown text, each with the block of another language that stands right below it. */
export function examplesOf(markdown: string): Example[] {
  const form = /^```bash\n([\s\S]*?)^```\n(?:```(?:json|text|sql)\n([\s\S]*?)^```$)?/gm;
  return Array.from(markdown.matchAll(form), ([, commands = "", shown]) => ({ commands, shown }));
}

const divider = "== example ==";

/**
 * Runs examples one after the other in one bash, as a reader would paste them, and gives back what each prints.
 *
 * @param environment variables of the document by name: their assignments are replaced
 */
export async function runExamples(
  examples: readonly Example[],
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  let script = examples.map(({ commands }) => `${commands}\necho '${divider}'\n`).join("");
  for (const [name, value] of Object.entries(environment)) {
    script = script.replace(new RegExp(`^${name}=.*$`, "gm"), `${name}='${value}'`);
  }
  const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await once(shell, "close");
  return output.split(`${divider}\n`).slice(0, -1);
}

/** What a document shows as a pattern: blanks and line ends do not count, `…` stands for one value that varies. */
export function patternOf(shown: string): RegExp {
  const text = withoutBlanks(shown).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${text.replaceAll("…", '[^"]+?')}$`);
}

/** For comparing with a pattern. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}
