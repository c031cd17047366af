// Tier: all. Starts processes.
import { type AuditActor, connectLogins, type Database } from "@rowhouse/db";
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncerServer,
  serviceLogin,
  startPgBouncer,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alterTable, createTable, parseTableDefinition, previewAlterTable } from "../src/index.ts";

const actor: AuditActor = { userId: null, tokenId: null, address: "192.0.2.1", requestId: "r1" };

for (const isSystemPooled of [false, true]) {
  const place = isSystemPooled
    ? "with both logins through PgBouncer"
    : "with the service's login through PgBouncer, and the other one past it";
  describe.skipIf(!hasPgBouncer())(place, () => {
    let test: TestDatabase;
    let pooler: PgBouncerServer;
    let database: Database;
    const open = () => {
      const { url, systemUrl = "" } = test;
      return connectLogins({
        ...{ url: pooler.urlOf(url), directUrl: url, prepare: false, connectionsMax: 6 },
        ...(isSystemPooled
          ? { systemUrl: pooler.urlOf(systemUrl), systemDirectUrl: systemUrl }
          : { systemUrl }),
        applicationName: "ddl",
      });
    };
    beforeAll(async () => {
      test = await createTestDatabase({ login: "service" });
      const { systemUrl = "" } = test;
      pooler = await startPgBouncer([test.url, systemUrl], 1, { server_lifetime: "3600" });
      database = await open();
      await test.database.query(`
        create function public.performs(deed text) returns boolean language plpgsql volatile as $$
        begin
          execute coalesce(deed, 'select 1');
          return true;
        end $$;
        create domain public.deed as text check (public.performs(value))`);
    });
    afterAll(async () => {
      await database?.close();
      await pooler.stop();
      await test.drop();
    });

    it("creates, previews and alters a table, which belongs to the service's login", async () => {
      const definition = await parseTableDefinition({
        name: "made",
        columns: [
          { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
          { name: "word", dataType: "text" },
        ],
      });
      await createTable(database, { schema: "public", definition, actor });
      const deed =
        "set search_path = nowhere; set time zone 'Asia/Tokyo'; select pg_advisory_lock(7)";
      await database.service.query("insert into public.made (word) values ($1::text)", [deed]);
      const input = {
        ...{ schema: "public", table: "made" },
        alteration: {
          changes: [
            { kind: "addColumn", name: "more", dataType: "int", nullable: false, default: "1" },
            { kind: "changeColumn", column: "word", dataType: "deed", confirm: "word" },
          ],
        },
      };
      const { failingRows, sql } = await previewAlterTable(database, input);
      expect(failingRows).toEqual([]);
      expect(sql.length).toBeGreaterThan(0);
      const { table } = await alterTable(database, { ...input, actor });
      expect(table.columns.map(({ name }) => name)).toEqual(["id", "word", "more"]);
      const rows = await database.service.query(
        "select word = $1::text as same, more from public.made",
        [deed],
      );
      expect(rows).toEqual([{ same: true, more: 1 }]);
      const [entry] = await database.query<{ entries: number }>(
        "select count(*)::int as entries from system.audit_log where action like 'table.%'",
      );
      expect(entry?.entries).toBe(2);
      const [owner] = await test.database.query<{ owner: string }>(
        "select pg_get_userbyid(relowner)::text as owner from pg_class where relname = 'made'",
      );
      expect(owner?.owner).toBe(serviceLogin.name);
    });
  });
}
