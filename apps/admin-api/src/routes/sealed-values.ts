import { z } from "@hono/zod-openapi";
import { type ApiRouter, one } from "@rowhouse/http";
import type { Logger } from "@rowhouse/service";
import { resealValues, type SealedDeps, surveySealedValues } from "@rowhouse/vault";
import { mountRoute } from "../mount-route.ts";
import { warnOfSealedValues } from "../report-sealed-values.ts";
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

/** Serves the encrypted values of the database during a rotation of secrets. */
export function mountSealedValueRoutes(
  router: ApiRouter,
  { logger, ...dependencies }: Pick<SealedDeps, "database" | "vault"> & { readonly logger: Logger },
): void {
  const sealed = { ...dependencies, columns: sealedColumns };
  mountRoute(router, {
    method: "get",
    path: "/admin/api/sealed-values",
    summary: "Count the encrypted values by the secret that opens them",
    answer: one(summary, "The counts, and the values that no secret opens"),
    run: () => surveySealedValues(sealed),
  });
  mountRoute(router, {
    method: "post",
    path: "/admin/api/sealed-values/reseal",
    summary: "Encrypt the values of ROWHOUSE_OTHER_SECRETS with ROWHOUSE_SECRET",
    answer: one(resealed, "The number of resealed values, and the present counts"),
    run: async ({ actor }) => {
      const done = await resealValues(sealed, actor);
      const { resealed, current, other } = done;
      logger.info({ resealed, current, other }, "Values were resealed");
      warnOfSealedValues(done, logger);
      return done;
    },
  });
}
