import { createError } from "@rowhouse/errors";
import { connectPausable, type PausableSocket } from "./pausable-socket.ts";

/** The address that the driver connects to. */
export interface Endpoints {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Path of a Unix socket. */
  readonly path: string | false | undefined;
}

/** Creates the socket of one stream when the driver requests it. */
export class StreamSocket {
  readonly #connectTimeoutMs: number;
  readonly #onFailure: (error: unknown) => void;
  #socket: PausableSocket | undefined;
  #closed = false;
  #endpoint = 0;

  /**
   * @param onFailure receives the error if a server cannot be reached; with several hosts the driver would wait
   * forever
   */
  constructor(connectTimeoutMs: number, onFailure: (error: unknown) => void) {
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#onFailure = onFailure;
  }

  /** Connects to the first host that responds. A second call, for a cancel request, connects to the same host. */
  readonly open = async (endpoints: Endpoints): Promise<PausableSocket> => {
    if (this.#socket !== undefined) return this.#connect(endpoints);
    try {
      this.#socket = await this.#connectToAny(endpoints);
      // The stream has ended already.
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

  /** Limits the bytes that the server may send from now on. */
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
