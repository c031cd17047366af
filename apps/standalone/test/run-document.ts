import { spawn } from "node:child_process";
import { once } from "node:events";

/** A block of commands in a document, and the output that the document shows for it. */
export interface Example {
  readonly commands: string;
  /** Undefined if the document shows no output. */
  readonly shown: string | undefined;
}

/** Returns the `bash` blocks of a Markdown text, each with the block of another language directly below it. */
export function examplesOf(markdown: string): Example[] {
  const form = /^```bash\n([\s\S]*?)^```\n(?:```(?:json|text|sql)\n([\s\S]*?)^```$)?/gm;
  return Array.from(markdown.matchAll(form), ([, commands = "", shown]) => ({ commands, shown }));
}

const divider = "== example ==";

/**
 * Runs examples one after another in one bash, as a reader would paste them, and returns the output of each.
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

/**
 * Converts the output that a document shows to a pattern: white space does not count, `…` matches one varying value.
 */
export function patternOf(shown: string): RegExp {
  const text = withoutBlanks(shown).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`^${text.replaceAll("…", '[^"]+?')}$`);
}

/** Removes the white space of an output, for the comparison with a pattern. */
export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, "");
}
