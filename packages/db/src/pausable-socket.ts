import { connect, type NetConnectOpts, type Socket } from "node:net";
import { Duplex } from "node:stream";

/** How much is read ahead of a reader that pauses. */
const readAheadBytes = 65_536;

/**
 * A connection whose reader may pause it. The driver reads its socket as fast as it can; given this one instead, it waits
 * while its caller is busy, and so does Postgres on the other end. It is no `Socket`, so a TLS layer on top of it reads
 * through it (and not past it, from the handle), and pauses as well.
 */
export class PausableSocket extends Duplex {
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

  /** From now on the server may send this many bytes; with more the connection ends with the error given. */
  allow(bytes: number, onTooMuch: () => Error): void {
    this.#bytesLeft = bytes;
    this.#onTooMuch = onTooMuch;
  }

  /** `open` as long as a farewell can be sent; the driver asks before it closes. */
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
 * @throws the socket's error; after `timeoutMs`, one whose code is `ETIMEDOUT`
 */
export function connectPausable(to: NetConnectOpts, timeoutMs: number): Promise<PausableSocket> {
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
