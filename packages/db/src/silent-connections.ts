import { outcomeWithin } from "@rowhouse/limits";
import type postgres from "#postgres";

/** A connection of the driver. The driver's types omit it; its patch adds these fields. */
interface DriverConnection {
  readonly id: number;
  /** Number of statements that were sent and are not answered yet. */
  readonly depth: number;
  readonly pid: number | null;
  readonly bytesRead: number;
  /** Closes the socket; every statement in progress fails. */
  drop(): void;
}

export interface SilenceOptions {
  /** The pools whose connections are checked. */
  readonly pools: () => Iterable<postgres.Sql>;
  /** The time limit of statements, in milliseconds. */
  readonly timeoutMs: () => number;
  /** Silence beyond it after which a connection is checked, and time for the check, in milliseconds. */
  readonly silenceMs: number;
  /** Whether the server still executes a statement of this process id. It may fail, or never settle. */
  readonly isExecuting: (pid: number) => Promise<boolean>;
}

const periodMaxMs = 2000;

interface Silence {
  readonly bytesRead: number;
  readonly since: number;
}

/**
 * Closes connections whose server does not answer: a frozen server, or a network that drops packets without an error.
 * The statement timeout is the server's and does not end them; TCP gives up after a quarter of an hour. Nothing is
 * added to the path of a statement: a timer compares the bytes that each socket has received.
 */
export class SilentConnections {
  readonly #options: SilenceOptions;
  readonly #timer: NodeJS.Timeout;
  #silent = new Map<number, Silence>();

  constructor(options: SilenceOptions) {
    this.#options = options;
    const everyMs = Math.min(periodMaxMs, options.silenceMs / 2);
    this.#timer = setInterval(() => this.#check(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const before = this.#silent;
    const now = performance.now();
    const silentMs = this.#options.timeoutMs() + this.#options.silenceMs;
    this.#silent = new Map();
    for (const pool of this.#options.pools()) {
      for (const connection of connectionsOf(pool)) {
        if (connection.depth === 0) continue;
        const { id, bytesRead } = connection;
        const known = before.get(id);
        const silence = known?.bytesRead === bytesRead ? known : { bytesRead, since: now };
        if (now - silence.since < silentMs) this.#silent.set(id, silence);
        else void this.#dropUnlessExecuting(connection, bytesRead);
      }
    }
  }

  async #dropUnlessExecuting(connection: DriverConnection, bytesRead: number): Promise<void> {
    const { pid } = connection;
    let isExecuting = false;
    const asked = async () => {
      isExecuting = pid !== null && (await this.#options.isExecuting(pid));
    };
    await outcomeWithin(this.#options.silenceMs, asked());
    if (isExecuting || connection.bytesRead !== bytesRead || connection.depth === 0) return;
    connection.drop();
  }
}

function connectionsOf(pool: postgres.Sql): readonly DriverConnection[] {
  return (pool as postgres.Sql & { readonly connections: readonly DriverConnection[] }).connections;
}
