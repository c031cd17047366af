import { createRoute, z } from "@hono/zod-openapi";
import { resealValues, type SealedDeps, surveySealedValues } from "@rowhouse/administration";
import type { ApiRouter, Logger } from "@rowhouse/http";
import { actorOf } from "../administrator.ts";
import { dataAnswer } from "../route-parts.ts";
import { sealedColumns } from "../sealed-columns.ts";
import { warnOfSealedValues } from "../tell-sealed-values.ts";

const count = z.int().min(0);
const summary = z
  .object({
    current: count.openapi({ description: "Values that `ROWHOUSE_SECRET` opens" }),
    other: count.openapi({ description: "Values that one of `ROWHOUSE_OTHER_SECRETS` opens" }),
    unreadable: count.openapi({ description: "Values that none opens; they are left as they are" }),
    unreadableValues: z
      .array(z.object({ table: z.string(), id: z.string() }))
      .openapi({ description: "The first hundred of these" }),
  })
  .openapi("SealedValues");
const resealed = summary
  .extend({ resealed: count.openapi({ description: "Values that this call has sealed anew" }) })
  .openapi("ResealedValues");

const read = createRoute({
  method: "get",
  path: "/admin/api/sealed-values",
  summary: "How many of the encrypted values each of the secrets opens",
  responses: { 200: dataAnswer(summary, "Counts, and what nothing opens") },
});
const reseal = createRoute({
  method: "post",
  path: "/admin/api/sealed-values/reseal",
  summary: "Encrypt with ROWHOUSE_SECRET what one of ROWHOUSE_OTHER_SECRETS has encrypted",
  responses: { 200: dataAnswer(resealed, "What was done, and what there is now") },
});

/** What is encrypted in the database, while one secret replaces another. */
export function mountSealedValueRoutes(
  router: ApiRouter,
  { logger, ...dependencies }: Pick<SealedDeps, "database" | "vault"> & { readonly logger: Logger },
): void {
  const sealed = { ...dependencies, columns: sealedColumns };
  router.openapi(read, async (c) => c.json({ data: await surveySealedValues(sealed) }, 200));
  router.openapi(reseal, async (c) => {
    const done = await resealValues(sealed, actorOf(c));
    const { resealed, current, other } = done;
    logger.info({ resealed, current, other }, "Values were sealed anew");
    warnOfSealedValues(done, logger);
    return c.json({ data: done }, 200);
  });
}
