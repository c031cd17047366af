import { createError } from "@rowhouse/errors";
import { connectPausable, type PausableSocket } from "./pausable-socket.ts";

/** Where the driver wants to connect to. */
export interface Endpoints {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a Unix socket. */
  readonly path: string | false | undefined;
}

/** The socket of one stream, made when the driver asks for it. */
export class StreamSocket {
  readonly #connectTimeoutMs: number;
  readonly #onFailure: (error: unknown) => void;
  #socket: PausableSocket | undefined;
  #closed = false;
  #endpoint = 0;

  /** @param onFailure hears of a server that cannot be reached: with several hosts the driver would go on waiting */
  constructor(connectTimeoutMs: number, onFailure: (error: unknown) => void) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#onFailure = onFailure;
  }

  /** Connects to the first host that answers; once more, for a request to cancel, to the same one. */
  readonly open = async (endpoints: Endpoints): Promise<PausableSocket> => {
    if (this.#socket !== undefined) return this.#connect(endpoints);
    try {
      this.#socket = await this.#connectToAny(endpoints);
      // Nobody is left to use it.
      if (this.#closed) throw createError("SERVICE_UNAVAILABLE");
      return this.#socket;
    } catch (error) {
      this.#socket?.destroy();
      this.#onFailure(error);
      throw error;
    }
  };

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** From now on the server may send this many bytes. */
  allow(bytes: number, onTooMuch: () => Error): void {
    this.#socket?.allow(bytes, onTooMuch);
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  async #connectToAny(endpoints: Endpoints): Promise<PausableSocket> {
    for (;;) {
      try {
        return await this.#connect(endpoints);
      } catch (error) {
        if (this.#closed || endpoints.path || this.#endpoint + 1 >= endpoints.host.length) {
          throw error;
        }
        this.#endpoint += 1;
      }
    }
  }

  #connect({ host, port, path }: Endpoints): Promise<PausableSocket> {
    const to = path
      ? { path }
      : { host: host[this.#endpoint] ?? "localhost", port: port[this.#endpoint] ?? 5432 };
    return connectPausable(to, this.#connectTimeoutMs);
  }
}
