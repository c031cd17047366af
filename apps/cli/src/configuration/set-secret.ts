import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Client, RowhouseError } from "@rowhouse/client";
import { CommandError } from "../base/command-error.ts";
import { printableName } from "../base/printable.ts";

/** Whom a secret serves. */
export const secretAudiences = ["workflows", "providers"] as const;
type SecretAudience = (typeof secretAudiences)[number];

/** What `rowhouse secret set` takes. */
export type SecretOptions = {
  readonly url: string;
  readonly token: string;
  readonly name: string;
  readonly audience: SecretAudience;
};

/**
 * Stores a value under a name. It comes from the standard input, or from a terminal that does not show it: never from an
 * argument, which the history of the shell and other users of the computer would have.
 */
export async function setSecret(
  client: Client,
  name: string,
  audience: SecretAudience,
): Promise<void> {
  const value = process.stdin.isTTY
    ? await askHidden(`Value of ${printableName(name)}: `)
    : await readInput();
  if (value === "") throw new CommandError("The value is empty.");
  const path = { name };
  const routes = audience === "workflows" ? workflowRoutes : providerRoutes;
  const isNew = await client.admin.patch(routes.one, { path, data: { value } }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof RowhouseError && error.status === 404) return true;
      throw error;
    },
  );
  if (isNew) await client.admin.post(routes.all, { data: { name, value } });
  process.stdout.write(
    `The secret ${printableName(name)} of ${audience} is ${isNew ? "stored" : "replaced"}.\n`,
  );
}

const workflowRoutes = { all: "/workflow-secrets", one: "/workflow-secrets/{name}" } as const;
const providerRoutes = { all: "/provider-secrets", one: "/provider-secrets/{name}" } as const;

/** A file or a pipe usually ends with a line break, which is not part of the value. */
async function readInput(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  // The terminal's echo goes to this stream, which drops it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const value = await new Promise<string>((resolve) => lines.question("", resolve));
  lines.close();
  process.stderr.write("\n");
  return value;
}
