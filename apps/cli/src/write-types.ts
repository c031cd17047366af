import { writeFile } from "node:fs/promises";
import { type Client, createClient, RowhouseError } from "@rowhouse/client";
import type { Document } from "@rowhouse/client/openapi";
import { CommandError } from "./base/command-error.ts";
import { printable } from "./base/printable.ts";
import type { TypesOptions } from "./config.ts";
import { resourcesFile } from "./types/resources-file.ts";

/**
 * Reads the caller's own document and writes the types of its resources.
 *
 * @throws CommandError for an invalid option, a rejected token, an unavailable service or a file that cannot be written
 */
export async function writeTypes({ url, token, out }: TypesOptions): Promise<void> {
  // Names of tables and columns stand in strings and comments, where an escape means the same.
  const text = printable(resourcesFile(await readDocument(connect(url, token))));
  if (out === null) {
    process.stdout.write(text);
    return;
  }
  await writeFile(out, text).catch((error: Error) => {
    throw new CommandError(`The file cannot be written: ${error.message}.`);
  });
}

function connect(url: string, token: string): Client {
  try {
    return createClient({ url, token });
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function readDocument(client: Client): Promise<Document> {
  const document = await client.api.get("/openapi").catch((error: unknown) => {
    if (!(error instanceof RowhouseError)) throw error;
    const { cause } = error;
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const detail = reason instanceof Error ? ` (${reason.message})` : "";
    throw new CommandError(`${error.message}${detail}: ${error.code}.`);
  });
  if (!isDocument(document)) throw new CommandError("The service has no OpenAPI document.");
  return document;
}

function isDocument(value: object): value is Document {
  return "openapi" in value && "paths" in value && "components" in value;
}
