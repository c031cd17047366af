// Tier: long. Opens services for each test.
import { randomUUID } from "node:crypto";
import {
  createTestDatabase,
  createUser,
  moveClock,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStorageKey, type Storage } from "../src/index.ts";
import { expireUploads, removeObjects, sweepOrphans } from "../src/sweep/start-sweeps.ts";
import { chunksOf, keysOf, startStorage, storageKinds, type TestStorage } from "./storages.ts";

const minute = 60;
const hour = 3600;
const never = new AbortController().signal;

describe.each(storageKinds)("the sweeps of %s", (kind) => {
  let test: TestDatabase;
  let place: TestStorage;
  let user: TestUser;
  beforeEach(async () => {
    test = await createTestDatabase();
    place = await startStorage(kind);
    user = await createUser(test.database, "ada@example.com", "Administrators");
  });
  afterEach(async () => {
    await place.stop();
    await test.drop();
  });

  const deps = (storage: Storage = place.storage) => ({ database: test.service, storage });
  /** A storage whose objects are a day older than they are. */
  const aged = (): Storage => ({
    ...place.storage,
    list: async function* (prefix, after) {
      for await (const object of place.storage.list(prefix, after)) {
        yield { ...object, modifiedAt: new Date(object.modifiedAt.getTime() - 90_000_000) };
      }
    },
  });
  const stored = async (key = createStorageKey()) => {
    await place.storage.put(key, chunksOf(key));
    return key;
  };
  const insertFile = async (key: string) => {
    const id = randomUUID();
    await test.database.query(
      `insert into system.files (id, name, state, content, media_type, bytes, sha256, storage_key)
       values ($1::uuid, 'f', 'READY', '/api/files/' || $1::text, 'text/plain', 42, 'x', $2::text)`,
      [id, key],
    );
    return id;
  };
  const insertUpload = async (key: string, expiresIn = "1 hour") => {
    const id = randomUUID();
    await test.database.query(
      `insert into system.uploads (id, user_id, storage_key, name, expires_at)
       values ($1::uuid, $2::uuid, $3::text, 'u', now() + $4::text::interval)`,
      [id, user.id, key, expiresIn],
    );
    return id;
  };
  const insertSegment = async (upload: string, start: number) => {
    const key = await stored(`segments/${upload}/${start}-abc`);
    await test.database.query(
      "insert into system.upload_segments values ($1::uuid, $2::text::bigint, 1, $3::text)",
      [upload, String(start), key],
    );
    return key;
  };
  const removals = async () => {
    const rows = await test.database.query<{ key: string; attempts: number }>(
      "select storage_key as key, attempts from system.object_removals order by 1",
    );
    return rows.map(({ key, attempts }) => [key, attempts]);
  };

  it("the object of a deleted file remains for ten minutes, and is then deleted with its entry", async () => {
    const [gone, kept] = [await stored(), await stored()];
    const id = await insertFile(gone);
    await insertFile(kept);
    await test.database.query("delete from system.files where id = $1::uuid", [id]);
    await moveClock(test.database, 9 * minute);
    expect(await removeObjects(deps())).toEqual({ removed: 0, isFull: false });
    expect(await keysOf(place.storage)).toHaveLength(2);
    await moveClock(test.database, 11 * minute);
    expect(await removeObjects(deps())).toEqual({ removed: 1, isFull: false });
    expect(await keysOf(place.storage)).toEqual([kept]);
    expect(await removals()).toEqual([]);
  });

  it("a row that is restored in time keeps its object", async () => {
    const key = await stored();
    const id = await insertFile(key);
    await test.database.query("delete from system.files where id = $1::uuid", [id]);
    await insertFile(key);
    await moveClock(test.database, 11 * minute);
    expect(await removeObjects(deps())).toEqual({ removed: 0, isFull: false });
    expect(await keysOf(place.storage)).toEqual([key]);
    expect(await removals()).toEqual([]);
  });

  it.each(["before", "after"])(
    "a worker that dies %s it deletes an object loses no removal",
    async (moment) => {
      const key = await stored();
      await test.database.query(
        "insert into system.object_removals values ($1::text, now() - interval '1 second')",
        [key],
      );
      let isReached = false;
      const dying: Storage = {
        ...place.storage,
        delete: async (each) => {
          if (moment === "after") await place.storage.delete(each);
          isReached = true;
          await new Promise(() => {});
        },
      };
      void removeObjects(deps(dying));
      await expect.poll(() => isReached).toBe(true);
      // Another worker leaves it for a minute, and then completes it.
      expect(await removeObjects(deps())).toMatchObject({ removed: 0 });
      expect(await removals()).toEqual([[key, 1]]);
      await moveClock(test.database, 2 * minute);
      expect(await removeObjects(deps())).toMatchObject({ removed: 1 });
      expect([await keysOf(place.storage), await removals()]).toEqual([[], []]);
    },
  );

  it("a failure of one object is reported, pauses longer each time, and does not stop the others", async () => {
    const keys = [await stored(), await stored(), await stored()].toSorted();
    const [bad = ""] = keys;
    await test.database.query(
      "insert into system.object_removals select k, now() from unnest($1::text[]) k",
      [`{${keys.join(",")}}`],
    );
    const failing: Storage = {
      ...place.storage,
      delete: async (key) => {
        if (key === bad) throw new Error("rejected");
        await place.storage.delete(key);
      },
    };
    for (const [attempt, pause] of [1, 2, 4, 8].entries()) {
      await expect(removeObjects(deps(failing))).rejects.toThrow("rejected");
      expect(await removals()).toEqual([[bad, attempt + 1]]);
      const [row] = await test.database.query<{ pause: number }>(
        "select round(extract(epoch from due_at - system.clock()) / 60)::int as pause from system.object_removals",
      );
      expect(row?.pause).toBe(pause);
      await test.database.query(
        "update system.object_removals set due_at = now() - interval '1 second'",
      );
    }
    expect(await keysOf(place.storage)).toEqual([bad]);
  });

  it("an upload that no file took expires with its object and its parts; a younger one stays", async () => {
    const late = await insertUpload(await stored(), "-1 second");
    const parts = [await insertSegment(late, 0), await insertSegment(late, 1)];
    const young = await insertUpload(await stored());
    const youngPart = await insertSegment(young, 0);
    expect(await expireUploads(test.service)).toBe(1);
    expect(await test.database.query("select id::text as id from system.uploads")).toEqual([
      { id: young },
    ]);
    expect(await removals()).toHaveLength(3);
    await moveClock(test.database, 11 * minute);
    expect(await removeObjects(deps())).toMatchObject({ removed: 3 });
    const left = await keysOf(place.storage);
    expect(left).toHaveLength(2);
    expect(left).toContain(youngPart);
    for (const part of parts) expect(left).not.toContain(part);
  });

  it("an object that no row names is removed once it is a day old, and no other", async () => {
    const named = [await stored(), await stored(), await stored()].toSorted();
    const [file = "", upload = "", variant = ""] = named;
    const id = await insertFile(file);
    const part = await insertSegment(await insertUpload(upload), 0);
    await test.database.query(
      "insert into system.file_variants values ($1::uuid, 'p', 'x', $2::text, 'image/webp', 1, 1, 1)",
      [id, variant],
    );
    const orphans = [await stored(), await stored(`segments/${randomUUID()}/0-abc`)];
    const foreign = await stored("objects/of-another-program");
    // Young ones stay.
    expect(await sweepOrphans(deps(), never)).toEqual({ orphaned: 0, unfinished: 0 });
    expect(await sweepOrphans(deps(), never)).toEqual({ orphaned: 0, unfinished: 0 });
    // No turn is due again within the hour.
    expect(await sweepOrphans(deps(aged()), never)).toBeUndefined();
    await moveClock(test.database, hour);
    expect(await sweepOrphans(deps(aged()), never)).toMatchObject({ orphaned: 1 });
    expect(await sweepOrphans(deps(aged()), never)).toMatchObject({ orphaned: 1 });
    expect(await removeObjects(deps())).toMatchObject({ removed: 2 });
    const left = await keysOf(place.storage);
    expect(left).toEqual([...named, part, foreign].toSorted());
    for (const orphan of orphans) expect(left).not.toContain(orphan);
  });

  it("of workers that search at once, one takes each turn", async () => {
    const turns = await Promise.all(Array.from({ length: 6 }, () => sweepOrphans(deps(), never)));
    expect(turns.filter((turn) => turn !== undefined)).toHaveLength(2);
  });
});

describe("a search of many objects", () => {
  it("continues where a stopped worker ended, and begins again after the last object", async () => {
    const test = await createTestDatabase();
    const place = await startStorage("DIRECTORY");
    // The objects of a large storage, of which none has a file: the search only lists them.
    const keys = Array.from({ length: 2500 }, (_, index) => {
      const name = index.toString(16).padStart(32, "0");
      return `objects/${name.slice(0, 2)}/${name}`;
    });
    const seen: string[] = [];
    const storage: Storage = {
      ...place.storage,
      list: async function* (prefix, after = "") {
        for (const key of keys.filter((each) => each.startsWith(prefix) && each > after)) {
          seen.push(key);
          yield { key, bytes: 1, modifiedAt: new Date(0) };
        }
      },
    };
    const turn = async (signal: AbortSignal) => {
      await test.database.query(
        "update system.object_sweeps set due_at = case prefix when 'objects/' then now() else 'infinity' end",
      );
      return sweepOrphans({ database: test.service, storage }, signal);
    };
    const stopped = new AbortController();
    stopped.abort();
    expect(await turn(stopped.signal)).toMatchObject({ orphaned: 1000 });
    expect(seen).toHaveLength(1000);
    expect(await turn(never)).toMatchObject({ orphaned: 1500 });
    expect(seen).toEqual(keys);
    expect(await turn(never)).toMatchObject({ orphaned: 0 });
    expect(seen).toHaveLength(5000);
    await place.stop();
    await test.drop();
  });
});
