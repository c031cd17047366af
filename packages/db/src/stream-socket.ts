import { connect, type NetConnectOpts, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { createError } from "@rowhouse/errors";

/** Bytes that are read ahead of a paused reader. */
const readAheadBytes = 65_536;

/**
 * A connection whose reader can pause it. The driver reads its socket without backpressure; with this stream it waits
 * while its caller is busy, and so does PostgreSQL. It is not a `Socket`: a TLS layer on top of it therefore reads
 * through this stream instead of the native handle, and pauses as well.
 */
class PausableSocket extends Duplex {
  readonly #socket: Socket;
  #bytesLeft = Number.POSITIVE_INFINITY;
  #onTooMuch: (() => Error) | undefined;

  constructor(socket: Socket) {
    super({ readableHighWaterMark: readAheadBytes, allowHalfOpen: false });
    this.#socket = socket;
    socket.on("data", (chunk) => {
      this.#bytesLeft -= chunk.length;
      if (this.#bytesLeft < 0) this.destroy(this.#onTooMuch?.());
      else if (!this.push(chunk)) socket.pause();
    });
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /**
   * Limits the bytes that the server may send from now on; beyond the limit the connection ends with the given error.
   */
  allow(bytes: number, onTooMuch: () => Error): void {
    this.#bytesLeft = bytes;
    this.#onTooMuch = onTooMuch;
  }

  /** `open` while a Terminate message can still be sent; the driver checks it before it closes the connection. */
  get readyState(): Socket["readyState"] {
    return this.#socket.readyState;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/**
 * Connects.
 *
 * @throws the socket's error; after `timeoutMs`, an error with the code `ETIMEDOUT`
 */
function connectPausable(to: NetConnectOpts, timeoutMs: number): Promise<PausableSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(to);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.setTimeout(timeoutMs, () => {
      const message = "No connection within the time limit";
      socket.destroy(Object.assign(new Error(message), { code: "ETIMEDOUT" }));
    });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.setTimeout(0);
      resolve(new PausableSocket(socket));
    });
  });
}

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
