import { createRoute, z } from "@hono/zod-openapi";
import type { ApiRouter } from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import { resealValues, type SealedDeps, surveySealedValues } from "@rowhouse/vault";
import { actorOf } from "../administrator.ts";
import { warnOfSealedValues } from "../report-sealed-values.ts";
import { dataAnswer } from "../route-parts.ts";
import { sealedColumns } from "../sealed-columns.ts";

const count = z.int().min(0);
const summary = z
  .object({
    current: count.openapi({ description: "Values that `ROWHOUSE_SECRET` opens" }),
    other: count.openapi({ description: "Values that one of `ROWHOUSE_OTHER_SECRETS` opens" }),
    unreadable: count.openapi({ description: "Values that no secret opens; they stay unchanged" }),
    unreadableValues: z
      .array(z.object({ table: z.string(), id: z.string() }))
      .openapi({ description: "The first hundred unreadable values" }),
  })
  .openapi("SealedValues");
const resealed = summary
  .extend({ resealed: count.openapi({ description: "Values that this call resealed" }) })
  .openapi("ResealedValues");

const read = createRoute({
  method: "get",
  path: "/admin/api/sealed-values",
  summary: "Count the encrypted values by the secret that opens them",
  responses: { 200: dataAnswer(summary, "The counts, and the values that no secret opens") },
});
const reseal = createRoute({
  method: "post",
  path: "/admin/api/sealed-values/reseal",
  summary: "Encrypt the values of ROWHOUSE_OTHER_SECRETS with ROWHOUSE_SECRET",
  responses: { 200: dataAnswer(resealed, "The number of resealed values, and the present counts") },
});

/** Serves the encrypted values of the database during a rotation of secrets. */
export function mountSealedValueRoutes(
  router: ApiRouter,
  { logger, ...dependencies }: Pick<SealedDeps, "database" | "vault"> & { readonly logger: Logger },
): void {
  const sealed = { ...dependencies, columns: sealedColumns };
  router.openapi(read, async (c) => c.json({ data: await surveySealedValues(sealed) }, 200));
  router.openapi(reseal, async (c) => {
    const done = await resealValues(sealed, actorOf(c));
    const { resealed, current, other } = done;
    logger.info({ resealed, current, other }, "Values were resealed");
    warnOfSealedValues(done, logger);
    return c.json({ data: done }, 200);
  });
}
