import type { Fault } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { ListTable } from "../ui/list-table.tsx";
import { Notice } from "../ui/notice.tsx";

/** Faults of files, each with its place. */
export function PlanFaults({ faults }: { readonly faults: readonly Fault[] }) {
  const t = useTranslations("configuration");
  return (
    <div className="grid gap-3">
      <Notice kind="danger">{t("faults", { count: faults.length })}</Notice>
      <ListTable
        label={t("faultList")}
        items={faults.map((fault, index) => ({ ...fault, key: String(index) }))}
        keyOf={({ key }) => key}
        columns={[
          {
            key: "place",
            label: t("place"),
            width: "w-80",
            cell: ({ details = {} }) => (
              <code className="font-mono text-2 wrap-anywhere">{placeOf(details)}</code>
            ),
          },
          {
            key: "message",
            label: t("fault"),
            cell: ({ message }) => (
              <span lang="en" className="wrap-anywhere">
                {message}
              </span>
            ),
          },
        ]}
      />
    </div>
  );
}

function placeOf({ file, line, column }: NonNullable<Fault["details"]>): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}
