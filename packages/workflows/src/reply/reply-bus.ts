import { randomBytes } from "node:crypto";
import type { Database } from "@rowhouse/db";
import { arrayLiteral } from "@rowhouse/db";
import { createSerialTask, settleWithin } from "@rowhouse/limits";
import { Redis } from "ioredis";
import type { EndedRun } from "../model/run.ts";
import { GatheringRedis } from "../queue/gathering-redis.ts";

/** Notifies the process that waits for a run of its end. Messages may be lost; the waiting process also polls. */
export interface ReplyBus {
  /**
   * Never throws: the poll finds the end of a run whose message is lost. Other processes receive only the run's id.
   */
  publish(channel: string, ended: EndedRun): void;
  /** Opens a channel of this process. */
  subscribe(listener: ReplyListener): Promise<ReplyChannel>;
  close(): Promise<void>;
}

export interface ReplyListener {
  /** Called for a run that has ended in another process. */
  readonly onNotified: (runId: string) => void;
  /** Called for a run that has ended in this process. */
  readonly onEnded: (ended: EndedRun) => void;
}

export interface ReplyChannel {
  readonly name: string;
  close(): Promise<void>;
}

/** How long closing waits until the last messages are sent, in milliseconds. */
const closeTimeoutMs = 1_500;
const channelPrefix = "rowhouse_reply_";
/** The payload of a NOTIFY has at most 8000 bytes. */
const idsPerMessage = 200;

interface Transport {
  send(messages: readonly (readonly [channel: string, payload: string])[]): Promise<void>;
  receive(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** Sends replies by NOTIFY. */
export function createPostgresReplyBus(
  database: Pick<Database, "query" | "listen">,
  report: (error: unknown) => void,
): ReplyBus {
  return createReplyBus(
    {
      // Outside the transaction that ends the run: commits that notify wait for each other.
      send: async (messages) => {
        await database.query(
          "select pg_notify(m.channel, m.payload) from unnest($1::text::text[], $2::text::text[]) as m (channel, payload)",
          [
            arrayLiteral(messages.map(([channel]) => channel)),
            arrayLiteral(messages.map(([, payload]) => payload)),
          ],
          { prepare: true },
        );
      },
      receive: (channel, onMessage) => database.listen(channel, onMessage),
      close: async () => {},
    },
    report,
  );
}

/** Sends replies by Redis publish and subscribe. */
export function createRedisReplyBus(url: string, report: (error: unknown) => void): ReplyBus {
  const retryStrategy = (attempt: number) => Math.min(attempt * 100, 2000);
  const commandTimeout = 5_000;
  const sender = new GatheringRedis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy,
    commandTimeout,
  });
  const receiver = new Redis(url, { maxRetriesPerRequest: null, retryStrategy });
  sender.on("error", report);
  receiver.on("error", report);
  const handlers = new Map<string, (payload: string) => void>();
  receiver.on("message", (channel, payload) => handlers.get(channel)?.(payload));
  return createReplyBus(
    {
      send: async (messages) => {
        await Promise.all(messages.map(([channel, payload]) => sender.publish(channel, payload)));
      },
      receive: async (channel, onMessage) => {
        handlers.set(channel, onMessage);
        // Neither call waits: while Redis is unreachable, the poll replaces the messages, and the process can still
        // exit.
        receiver.subscribe(channel).catch(report);
        return async () => {
          handlers.delete(channel);
          receiver.unsubscribe(channel).catch(() => {});
        };
      },
      close: async () => {
        sender.disconnect();
        receiver.disconnect();
      },
    },
    report,
  );
}

function createReplyBus(transport: Transport, report: (error: unknown) => void): ReplyBus {
  const own = new Map<string, ReplyListener>();
  let waiting = new Map<string, string[]>();
  const sending = createSerialTask(async () => {
    const batch = waiting;
    waiting = new Map();
    await transport.send([...batch].flatMap(([channel, ids]) => toMessages(channel, ids)));
  }, report);

  return {
    publish: (channel, ended) => {
      // The run ended in the process that waits for it: no message is necessary.
      const listener = own.get(channel);
      if (listener !== undefined) {
        listener.onEnded(ended);
        return;
      }
      const ids = waiting.get(channel);
      if (ids === undefined) waiting.set(channel, [ended.id]);
      else ids.push(ended.id);
      sending.trigger();
    },
    subscribe: async (listener) => {
      const name = channelPrefix + randomBytes(12).toString("hex");
      own.set(name, listener);
      const stop = await transport.receive(name, (payload) => {
        for (const runId of payload.split(",")) listener.onNotified(runId);
      });
      return {
        name,
        close: async () => {
          own.delete(name);
          await stop();
        },
      };
    },
    close: async () => {
      // The poll of the waiting process finds what is not sent by then.
      await settleWithin(closeTimeoutMs, sending.idle());
      await transport.close();
    },
  };
}

function toMessages(channel: string, ids: readonly string[]): [string, string][] {
  const messages: [string, string][] = [];
  for (let start = 0; start < ids.length; start += idsPerMessage) {
    messages.push([channel, ids.slice(start, start + idsPerMessage).join(",")]);
  }
  return messages;
}
