// Tier: long. Plans and applies against several databases.
import { describe, expect, it } from "vitest";
import { openConfigurator, stepsOf } from "./configuration.ts";

const rootOf = (...patterns: string[]) => ({
  "rowhouse.yaml": `version: 1\nparts: [tables, views, roles]\nelsewhere: [${patterns.join(", ")}]\n`,
});
const shown =
  "managed: elsewhere\nlabel: Theirs\nexposed: [GET]\ncolumns:\n  id: { label: Number }\n";

describe.each([
  ["tables", "create table public.theirs (id int primary key)"],
  ["views", "create view public.theirs as select 1 as id"],
  ["tables", "create table public.theirs (id int) partition by list (id)"],
])("the deleted file of what other tools own, of %s: %s", (part, sql) => {
  it.each([[["public.theirs"]], [[]]])(
    "hides it, and leaves it to them, with the patterns %j",
    async (patterns) => {
      const own = await openConfigurator();
      await own.database.query(sql);
      await own.set({ ...rootOf(...patterns), [`${part}/public/theirs.yaml`]: shown });
      expect((await own.pull())[`${part}/public/theirs.yaml`]).toBe(
        "managed: elsewhere\nlabel: Theirs\nexposed:\n  - GET\ncolumns:\n  id:\n    label: Number\n",
      );
      const plan = await own.plan(rootOf(...patterns));
      expect(stepsOf(plan)).toEqual([
        "resource.update public.theirs",
        "resource.update public.theirs.id",
      ]);
      await own.apply(plan);
      const again = await own.plan(rootOf(...patterns));
      expect(again.steps.filter(({ isOptional }) => !isOptional)).toEqual([]);
      expect(
        await own.database.query(
          "select exposed_methods::text, label from system.resources where relation_oid = 'public.theirs'::regclass",
        ),
      ).toEqual([{ exposed_methods: "{}", label: null }]);
    },
  );
});
