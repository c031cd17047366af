import type { Database } from "@rowhouse/db";
import type { Logger } from "@rowhouse/service";
import { type SealedSummary, surveySealedValues, type Vault } from "@rowhouse/vault";
import { sealedColumns } from "./sealed-columns.ts";

/** Logs at startup the values that ROWHOUSE_SECRET does not open. A failure does not prevent the start. */
export async function reportSealedValues(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  logger: Logger,
): Promise<void> {
  try {
    warnOfSealedValues(
      await surveySealedValues({ database, vault, columns: sealedColumns }),
      logger,
    );
  } catch (error) {
    logger.warn({ err: error }, "The check of sealed values failed");
  }
}

/**
 * Warns of values sealed with another secret, and of those that no secret opens: by table and id, never by content.
 */
export function warnOfSealedValues(summary: SealedSummary, logger: Pick<Logger, "warn">): void {
  const { current, other, unreadable, unreadableValues } = summary;
  if (other > 0) {
    logger.warn(
      { current, other },
      "Values are still sealed with one of ROWHOUSE_OTHER_SECRETS: POST /admin/api/sealed-values/reseal seals them with ROWHOUSE_SECRET",
    );
  }
  if (unreadable > 0) {
    logger.warn(
      { unreadable, unreadableValues },
      "No secret opens some sealed values; they stay unchanged",
    );
  }
}
