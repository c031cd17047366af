import { expect, it } from "vitest";
import { UserSemaphore } from "../src/index.ts";

const busy = () => new Error("busy");

const openSemaphore = (waitMs = 10_000) => {
  const semaphore = new UserSemaphore({ permits: 4, perUser: 2, waitingMax: 5, waitMs, busy });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (user: string, name: string): Promise<string> =>
    semaphore.within(user, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  return { begun, ends, send };
};

it("limits the permits of one user and gives the users who wait a turn each", async () => {
  const { begun, ends, send } = openSemaphore();
  const all = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1"].map((name) =>
    send(name.charAt(0), name),
  );
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  await end("nothing");
  // The last permit is reserved for a user who holds none.
  expect(begun).toEqual(["a1", "a2", "b1", "c1"]);
  await end("a1");
  expect(begun.slice(4)).toEqual([]);
  await end("c1");
  expect(begun.slice(4)).toEqual(["a3"]);
  await end("a2");
  expect(begun.slice(5)).toEqual(["b2"]);
  await end("b1");
  expect(begun.slice(6)).toEqual(["a4"]);
  await end("b2");
  expect(begun.slice(7)).toEqual(["b3"]);
  for (const name of ["a3", "b3", "a4"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1"]);
});

it("releases the permit of work that fails", async () => {
  const semaphore = new UserSemaphore({
    permits: 1,
    perUser: 1,
    waitingMax: 5,
    waitMs: 10_000,
    busy,
  });
  for (let round = 0; round < 3; round += 1) {
    await expect(semaphore.within("a", () => Promise.reject(new Error("no")))).rejects.toThrow(
      "no",
    );
  }
  expect(await semaphore.within("b", async () => 1)).toBe(1);
});

it("rejects a request with the error of its owner if too many of one user wait, or it waits too long", async () => {
  const { send, ends, begun } = openSemaphore(50);
  const first = [send("a", "a1"), send("a", "a2")];
  const waiting = Array.from({ length: 5 }, (_, n) => send("a", `w${n}`));
  const outcomes = Promise.allSettled(waiting);
  const refused = { message: "busy" };
  await expect(send("a", "one more")).rejects.toMatchObject(refused);
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: refused });
  }
  const other = send("b", "b1");
  for (const name of ["a1", "a2", "b1"]) ends.get(name)?.();
  await Promise.all([...first, other]);
  expect(begun).toEqual(["a1", "a2", "b1"]);
  const again = send("a", "again");
  ends.get("again")?.();
  expect(await again).toBe("again");
});
