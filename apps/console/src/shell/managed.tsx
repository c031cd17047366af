import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/classes.ts";
import { FileCode } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import { AppLink } from "./app-link.tsx";
import { client } from "./client.ts";

type Managed = AdminOperations["GET /configuration/managed"]["answer"]["data"][number];

/** `GET /admin/api/configuration/managed`: the documents whose records are kept in files. */
export const managedQuery = queryOptions({
  queryKey: ["configuration", "managed"],
  queryFn: async ({ signal }) =>
    (await client.admin.get("/configuration/managed", { signal })).data,
});

/** Whether a record is kept in files, and whether its person has decided to edit it anyway. */
export interface ManagedLock {
  /** The path of its document; undefined for a record that no file has. */
  readonly path: string | undefined;
  readonly isLocked: boolean;
  unlock(): void;
}

/**
 * Locks a record that is kept in files until its person decides to edit it anyway.
 *
 * @param names the names of the record in its documents, such as a schema and a table
 */
export function useManagedLock(part: Managed["part"], names: readonly string[]): ManagedLock {
  const { data = [] } = useQuery(managedQuery);
  const [unlocked, setUnlocked] = useState<string>();
  const found = data.find((one) => one.part === part && one.names.join("\0") === names.join("\0"));
  const path = found?.path;
  return {
    path,
    isLocked: path !== undefined && path !== unlocked,
    unlock: () => setUnlocked(path),
  };
}

/** Says that a record is kept in files, and lets its person edit it anyway. Nothing for other records. */
export function ManagedNotice({ lock }: { readonly lock: ManagedLock }) {
  const t = useTranslations("configuration.managed");
  const { path, isLocked, unlock } = lock;
  if (path === undefined) return null;
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-sunken px-3 py-1.5 text-ink-2"
    >
      <FileCode size={16} aria-hidden="true" className="shrink-0" />
      <p className="min-w-0 flex-[1_1_16rem] wrap-anywhere">
        {t.rich(isLocked ? "locked" : "unlocked", {
          path: () => <code className="font-mono text-2">{path}</code>,
          link: (text) => (
            <AppLink href="/admin/configuration" className={linkClasses}>
              {text}
            </AppLink>
          ),
        })}
      </p>
      {isLocked && <ToolButton onClick={unlock}>{t("edit")}</ToolButton>}
    </div>
  );
}
