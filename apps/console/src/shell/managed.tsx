import type { AdminOperations } from "@rowhouse/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { linkClasses } from "../ui/classes.ts";
import { FileCode } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";
import { AppLink } from "./app-link.tsx";
import { client } from "./client.ts";
import { ConfirmDialog } from "./confirm-task.tsx";

/** A record, by the part of the configuration that it belongs to and its names in the documents of that part. */
export type ManagedRecord = Pick<
  AdminOperations["GET /configuration/managed"]["answer"]["data"][number],
  "part" | "names"
>;

/** The paths of the documents that have been applied, by their records. */
const managedQuery = queryOptions({
  queryKey: ["configuration", "managed"],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const { data } = await client.admin.get("/configuration/managed", { signal });
    return new Map(data.map((one) => [keyOf(one), one.path]));
  },
});

function keyOf({ part, names }: ManagedRecord): string {
  return JSON.stringify([part, ...names]);
}

/** Returns the path of the document of a record; undefined for a record that no file has. */
function usePathOf(): (record: ManagedRecord) => string | undefined {
  const { data } = useQuery(managedQuery);
  return (record) => data?.get(keyOf(record));
}

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
export function useManagedLock(part: ManagedRecord["part"], names: readonly string[]): ManagedLock {
  const path = usePathOf()({ part, names: [...names] });
  const [unlocked, setUnlocked] = useState<string>();
  return {
    path,
    isLocked: path !== undefined && path !== unlocked,
    unlock: () => setUnlocked(path),
  };
}

/** Says that a record is kept in files, and lets its person edit it anyway. Nothing for other records. */
export function ManagedNotice({ lock }: { readonly lock: ManagedLock }) {
  const t = useTranslations("configuration.managed");
  const place = useRef<HTMLDivElement>(null);
  const { path, isLocked } = lock;
  if (path === undefined) return null;
  return (
    <div
      ref={place}
      role="note"
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-control border border-line px-3 py-1.5 text-ink-2"
    >
      <FileCode size={16} aria-hidden="true" className="shrink-0 max-sm:hidden" />
      <p className="min-w-0 flex-[1_1_12rem] wrap-anywhere">
        {t.rich(isLocked ? "locked" : "unlocked", {
          path,
          code: (text) => (
            <code dir="ltr" className="font-mono text-2 text-ink">
              {text}
            </code>
          ),
          link: (text) => (
            <AppLink href="/admin/configuration" className={linkClasses}>
              {text}
            </AppLink>
          ),
        })}
      </p>
      {isLocked && (
        <ToolButton
          onClick={() => {
            // The button goes; the keyboard continues where it was.
            place.current?.focus();
            lock.unlock();
          }}
        >
          {t("edit")}
        </ToolButton>
      )}
    </div>
  );
}

interface LockedFieldsProps {
  readonly isLocked: boolean;
  readonly children: ReactNode;
}

/** Controls that change a record. While it is locked, they show its values and can do nothing. */
export function LockedFields({ isLocked, children }: LockedFieldsProps) {
  return (
    <fieldset role="presentation" disabled={isLocked} className="contents">
      {children}
    </fieldset>
  );
}

/** In a list, beside the name of a record that is kept in files. */
export function ManagedMark(record: ManagedRecord) {
  const t = useTranslations("configuration.managed");
  const path = usePathOf()(record);
  if (path === undefined) return null;
  return (
    <span
      role="img"
      aria-label={t("mark")}
      title={`${t("mark")}: ${path}`}
      className="shrink-0 text-ink-3"
    >
      <FileCode size={14} aria-hidden="true" />
    </span>
  );
}

interface Asked {
  readonly paths: readonly string[];
  readonly run: () => void;
  readonly refuse: () => void;
}

const shownMax = 6;

/**
 * Asks once for each record that is kept in files before it changes, on pages that show many records.
 *
 * @param lock of the record of the page, if it has one; what is agreed to for one holds for the other
 */
export function useManagedQuestion(lock?: ManagedLock) {
  const t = useTranslations("configuration.managed");
  const words = useTranslations("manage");
  const pathOf = usePathOf();
  const [agreed, agree] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked>();
  const isAgreed = (path: string) =>
    agreed.has(path) || (path === lock?.path && lock.isLocked === false);
  const close = (deed: (() => void) | undefined) => {
    setAsked(undefined);
    deed?.();
  };
  return {
    /** Runs a change of records, after the question if it is necessary. */
    ask: (records: readonly ManagedRecord[], run: () => void, refuse = () => {}) => {
      const paths = [...new Set(records.flatMap((one) => pathOf(one) ?? []))];
      const locked = paths.filter((path) => !isAgreed(path));
      if (locked.length === 0) run();
      else setAsked({ paths: locked, run, refuse });
    },
    question: asked !== undefined && (
      <ConfirmDialog
        title={t("askTitle")}
        confirm={t("edit")}
        cancel={words("cancel")}
        isHarmless
        failure={undefined}
        isBusy={false}
        onConfirm={() => {
          agree(new Set([...agreed, ...asked.paths]));
          if (lock?.path !== undefined && asked.paths.includes(lock.path)) lock.unlock();
          close(asked.run);
        }}
        onClose={() => close(asked.refuse)}
      >
        <div className="grid gap-2">
          <ul className="text-ink wrap-anywhere">
            {asked.paths.slice(0, shownMax).map((path) => (
              <li key={path}>
                <code dir="ltr" className="font-mono text-2">
                  {path}
                </code>
              </li>
            ))}
            {asked.paths.length > shownMax && <li aria-hidden="true">…</li>}
          </ul>
          <p>{t("askText")}</p>
        </div>
      </ConfirmDialog>
    ),
  };
}
