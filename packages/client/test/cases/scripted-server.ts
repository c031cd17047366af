import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer, Exchange } from "./case.ts";

/** A request as the server received it. */
export type ReceivedRequest = {
  readonly method: string;
  /** Encoded, with the query. */
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly atMs: number;
};

/** Gives the answers of one case after the other, each to the next request, whatever it asks for. */
export class ScriptedServer {
  readonly #server = createServer((request, response) => void this.#respond(request, response));
  #answers: Answer[] = [];
  #received: ReceivedRequest[] = [];

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** The requests since `begin`. */
  get received(): readonly ReceivedRequest[] {
    return this.#received;
  }

  begin(exchanges: readonly Exchange[]): void {
    this.#answers = exchanges.map(({ answer }) => answer);
    this.#received = [];
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = "", url: target = "", headers } = request;
    const body = Buffer.concat(parts).toString();
    this.#received.push({ method, target, headers, body, atMs: performance.now() });
    const answer = this.#answers.shift();
    if (answer === undefined) {
      // One request too many: an answer that no client repeats.
      response.writeHead(400).end('{"errors":[{"code":"REQUEST_INVALID","message":"Unexpected"}]}');
    } else if (answer.cut === "BEFORE_RESPONSE") {
      request.socket.destroy();
    } else {
      this.#send(answer, response);
    }
  }

  #send(answer: Answer, response: ServerResponse): void {
    const { status = 200, headers = {}, body = "" } = answer;
    const text = body.replaceAll("{url}", this.url);
    const type = text === "" ? {} : { "content-type": "application/json" };
    const written = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.replaceAll("{url}", this.url),
    ]);
    response.writeHead(status, { ...type, ...Object.fromEntries(written) });
    if (answer.cut === undefined) {
      response.end(text);
    } else {
      response.write(text, () => response.destroy());
    }
  }
}
