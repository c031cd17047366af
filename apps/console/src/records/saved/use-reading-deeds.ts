import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { type ReadingApi, type ReadingEntry, readingsKey } from "./reading-api.ts";
import { moveEntry } from "./reading-order.ts";

/** Moves and copies entries of a list, and says what it has done. */
export function useReadingDeeds(api: ReadingApi) {
  const t = useTranslations("readings");
  const describe = useFailureText();
  const queries = useQueryClient();
  const open = useOpen();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [status, setStatus] = useState("");
  const queryKey = readingsKey(api.kind);
  const run = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setStatus(await work());
    } catch (error) {
      setFailure(describe(error));
    } finally {
      await Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
      ]);
      setBusy(false);
    }
  };
  return {
    ...{ isBusy, failure, status },
    move: (entries: readonly ReadingEntry[], entry: ReadingEntry, by: number) =>
      void run(async () => {
        const next = moveEntry(entries, entry.id, by);
        queries.setQueryData(queryKey, next);
        const before = new Map(entries.map(({ id, position }) => [id, position]));
        for (const { id, position } of next) {
          if (before.get(id) !== position) await api.place(id, position);
        }
        const place = next.findIndex(({ id }) => id === entry.id) + 1;
        return t("moved", { name: entry.name, place, count: next.length });
      }),
    duplicate: (entry: ReadingEntry) =>
      void run(async () => {
        const id = await api.duplicate(entry.id, t("copyOf", { name: entry.name }).slice(0, 100));
        open(`${api.path}/${id}`);
        return t("duplicated", { name: entry.name });
      }),
  };
}
