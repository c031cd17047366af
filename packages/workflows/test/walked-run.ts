import { setTimeout as sleep } from "node:timers/promises";
import { acceptWebhook } from "../src/index.ts";
import { openTestEnvironment } from "./test-environment.ts";

/** Opens a worker whose walk is the claim and the execution of an accepted run that creates a row. */
export async function openWalkedRun() {
  const environment = await openTestEnvironment({ oneProcess: true, workers: 0 });
  const { rateLimit, webhookDeps, publish } = environment;
  let isEnded = false;
  const worker = environment.startWorker({
    onEnded: () => {
      isEnded = true;
    },
  });
  const values = { note: "{{start.data.body.n}}" };
  const { slug } = await publish([{ id: "trip", kind: "createRow", table: "trip", values }], {
    response: "ASYNCHRONOUS",
  });
  const accept = async (): Promise<string> => {
    const answer = await acceptWebhook(
      {
        ...webhookDeps,
        rateLimit,
        // Nothing wakes the worker, so that the walk begins with its claim.
        queue: { wake: () => {} },
        handOff: { offer: () => true, reserve: () => undefined },
        authenticate: async () => {
          throw new Error("a public webhook reads no credential");
        },
        recordProven: () => {},
      },
      {
        slug,
        method: "POST",
        search: "",
        headers: { "content-type": "application/json" },
        ip: "203.0.113.1",
        requestId: null,
        authorization: null,
        idempotencyKey: null,
        body: { declaredBytes: null, read: async () => new TextEncoder().encode('{"n":1}') },
      },
    );
    return (JSON.parse(answer.body) as { data: { id: string } }).data.id;
  };
  return {
    walks: {
      claim: async () => {
        const id = await accept();
        return async () => {
          isEnded = false;
          if (!webhookDeps.handOff.offer(id)) throw new Error("the worker takes no run");
          do await sleep(10);
          while (!isEnded || worker.activeCount() > 0);
        };
      },
    },
    close: () => environment.close(),
  };
}
