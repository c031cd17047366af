import { createClient, writeJson } from "@rowhouse/client";
import { CommandError } from "./base/command-error.ts";
import { printable } from "./base/printable.ts";
import type { McpOptions } from "./config.ts";
import { forward, RefusedError, type Server } from "./mcp/forward.ts";
import { errorMessage, isObject, type Message, readMessage, readObject } from "./mcp/message.ts";

/**
 * Serves MCP on the standard input and output by means of the service's own server. The standard output has messages of
 * the protocol only; reasons of failures are on the standard error. Ends with the standard input.
 *
 * @throws CommandError for an invalid option, or a message that is too long
 */
export async function serveMcp({ url, token }: McpOptions): Promise<void> {
  check(url, token);
  // The client has ended: nothing can read further messages.
  process.stdout.on("error", () => process.exit());
  await bridge(
    { url: `${url.replace(/(?<!\/)\/+$/, "")}/mcp`, token },
    {
      lines: readLines(process.stdin),
      write: (text) => process.stdout.write(`${text}\n`),
      report: (sentence) => process.stderr.write(`rowhouse: ${printable(sentence)}\n`),
    },
  ).catch((error: unknown) => {
    if (error instanceof RangeError) throw new CommandError(error.message);
    throw error;
  });
}

/** The client of the other commands has the rules for an address and a token. */
function check(url: string, token: string): void {
  try {
    createClient({ url, token });
    new Headers({ Authorization: `Bearer ${token}` });
  } catch (error) {
    // The error of an invalid header repeats its value.
    const isAddress = error instanceof TypeError && error.message.startsWith("url ");
    const reason = isAddress ? error.message : "--token or ROWHOUSE_TOKEN must be a token";
    throw new CommandError(`${reason}.`);
  }
}

/** Longest message of the standard input in characters; the gateway bounds bodies further. */
const lineMaxCharacters = 4 * 2 ** 20;

/**
 * Yields the lines of a stream of UTF-8 without their line ends; empty lines are omitted.
 *
 * @throws RangeError for a line that is too long
 */
export async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of input) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield bounded(line.trim());
    bounded(rest);
  }
  if (rest.trim() !== "") yield rest.trim();
}

function bounded(line: string): string {
  if (line.length <= lineMaxCharacters) return line;
  throw new RangeError(`A message is longer than ${lineMaxCharacters} characters.`);
}

const parseError = { code: -32_700, message: "Parse error: a line must be one JSON object" };
/** First code of the range that JSON-RPC leaves to servers. */
const refusedCode = -32_000;

/** Both sides of the bridge besides the server. */
export type Streams = {
  /** Messages of the client, each a line. */
  readonly lines: AsyncIterable<string>;
  /** Writes a message to the client. */
  write(text: string): void;
  /** Writes a sentence for the person who configures the client. */
  report(sentence: string): void;
};

/**
 * Forwards messages between the standard streams of an MCP client and the service, until the input ends and every
 * request has its response. Messages of one client are in progress at the same time.
 */
export async function bridge(
  { url, token }: Omit<Server, "version">,
  { lines, write, report }: Streams,
): Promise<void> {
  const pending = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  let version: string | undefined;

  const transfer = async (message: Message): Promise<void> => {
    const controller = new AbortController();
    let isAnswered = message.id === undefined;
    if (message.id !== undefined) pending.set(message.id, controller);
    try {
      for await (const text of forward(message, { url, token, version }, controller.signal)) {
        if (message.method === "initialize") version = chosenVersion(text) ?? version;
        isAnswered ||= readMessage(text)?.id === message.id;
        write(text);
      }
      if (!isAnswered) throw new RefusedError("The response ended early.");
    } catch (error) {
      // The client that cancelled a request expects no response.
      if (controller.signal.aborted) return;
      const reason = error instanceof RefusedError ? error.message : "The response ended early.";
      report(reason);
      if (isAnswered || message.id === undefined) return;
      write(errorMessage(message.id, { code: refusedCode, message: reason }));
    } finally {
      if (message.id !== undefined) pending.delete(message.id);
    }
  };

  for await (const line of lines) {
    const message = readMessage(line);
    if (message === undefined) {
      write(errorMessage("null", parseError));
    } else if (message.method === "notifications/cancelled") {
      // The end of the connection cancels a request on HTTP.
      pending.get(writeJson(message.params.requestId ?? null))?.abort();
    } else {
      const one: Promise<void> = transfer(message).finally(() => running.delete(one));
      running.add(one);
      // Until the version is known, the next message cannot state it.
      if (message.method === "initialize") await one;
      if (message.method === "subscriptions/listen") running.delete(one);
    }
  }
  await Promise.all(running);
  for (const controller of pending.values()) controller.abort();
}

function chosenVersion(text: string): string | undefined {
  const result = readObject(text)?.result;
  const version = isObject(result) ? result.protocolVersion : undefined;
  return typeof version === "string" ? version : undefined;
}
