import { describe, expect, it } from "vitest";
import { answerEventStream, type SentEvent } from "../src/index.ts";

/** Opens a stream of numbered events; `taken` counts those that were requested. */
function openStream(source?: () => AsyncGenerator<SentEvent | "IDLE", void, undefined>) {
  const seen = { taken: 0, returned: 0, ended: 0, broken: [] as unknown[] };
  async function* numbers(): AsyncGenerator<SentEvent, void, undefined> {
    try {
      for (;;) {
        seen.taken += 1;
        yield { event: "number", id: String(seen.taken), data: `{"number":\n${seen.taken}}` };
      }
    } finally {
      seen.returned += 1;
    }
  }
  const stop = new AbortController();
  const response = answerEventStream((source ?? numbers)(), {
    requestId: "r1",
    signal: stop.signal,
    onEnd: () => {
      seen.ended += 1;
      stop.abort();
    },
    onBroken: (error) => seen.broken.push(error),
  });
  const reader = response.body?.getReader();
  const read = async () => {
    const part = await reader?.read();
    return part?.done === false ? new TextDecoder().decode(part.value) : undefined;
  };
  return { response, reader, read, stop, seen };
}

const pass = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("a stream of events", () => {
  it("has the events in the form of the standard, with line breaks in their data", async () => {
    const { response, read } = openStream();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(await read()).toBe("retry: 1000\n\n");
    expect(await read()).toBe('event: number\nid: 1\ndata: {"number":\ndata: 1}\n\n');
  });

  it("requests no event before its reader has taken the one before", async () => {
    const { read, seen } = openStream();
    await pass();
    expect(seen.taken).toBe(0);
    for (let count = 0; count < 3; count += 1) await read();
    await pass();
    expect(seen.taken).toBe(2);
  });

  it("ends its source once when the reader leaves, and when the signal aborts", async () => {
    const left = openStream();
    await left.read();
    await left.read();
    await left.reader?.cancel();
    left.stop.abort();
    await pass();
    expect(left.seen).toMatchObject({ returned: 1, ended: 1, broken: [] });
    const stopped = openStream();
    await stopped.read();
    await stopped.read();
    stopped.stop.abort();
    expect(await stopped.read()).toBeUndefined();
    await pass();
    expect(stopped.seen).toMatchObject({ returned: 1, ended: 1, broken: [] });
  });

  it("releases what it holds if its signal aborts before anything was read", async () => {
    const { stop, read, seen } = openStream();
    stop.abort();
    expect(seen.ended).toBe(1);
    await read();
    expect(await read()).toBeUndefined();
    expect(seen.taken).toBe(0);
  });

  it("breaks off with an error of its source, which is reported", async () => {
    const failure = new Error("The database is gone");
    // biome-ignore lint/correctness/useYield: it fails first
    const { read, seen } = openStream(async function* () {
      throw failure;
    });
    await read();
    await expect(read()).rejects.toBe(failure);
    expect(seen).toMatchObject({ ended: 1, broken: [failure] });
  });
});
