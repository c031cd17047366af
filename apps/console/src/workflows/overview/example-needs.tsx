import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useSecretNames } from "../../secrets/secret-requests.ts";
import { resourcesQuery } from "../../shell/resource-queries.ts";
import { Check, CircleAlert } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import type { Definition } from "../model/definition.ts";
import { needsOf } from "./needs-of.ts";

/** What an example needs, and whether this installation has it. */
export function ExampleNeeds({ definition }: { readonly definition: Definition }) {
  const t = useTranslations("workflows.begin");
  const { tables, secrets, hosts } = needsOf(definition);
  const resources = useQuery(resourcesQuery).data;
  const tableNames = resources && new Set(resources.map(({ schema, name }) => `${schema}.${name}`));
  const names = useSecretNames();
  const secretNames = names && new Set(names);
  const isMissing =
    tables.some((name) => tableNames?.has(name) === false) ||
    secrets.some((name) => secretNames?.has(name) === false);
  return (
    <>
      <dl className="grid gap-2 rounded-panel border border-line p-3">
        <Needed title={t("tables")} names={tables} known={tableNames} />
        <Needed title={t("secrets")} names={secrets} known={secretNames} />
        <Needed title={t("hosts")} names={hosts} known={undefined} />
      </dl>
      {isMissing && <Notice kind="info">{t("missingText")}</Notice>}
    </>
  );
}

interface NeededProps {
  readonly title: string;
  readonly names: readonly string[];
  /** What there is; undefined if it is not known. */
  readonly known: ReadonlySet<string> | undefined;
}

function Needed({ title, names, known }: NeededProps) {
  const t = useTranslations("workflows.begin");
  if (names.length === 0) return null;
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3">
      <dt className="text-ink-2">{title}</dt>
      <dd className="grid gap-0.5">
        {names.map((name) => {
          const has = known?.has(name);
          const Icon = has === true ? Check : CircleAlert;
          return (
            <span key={name} className="flex min-w-0 items-center gap-1.5">
              <code className="truncate font-mono text-2">{name.replace(/^public\./, "")}</code>
              {has !== undefined && (
                <span className={`flex items-center gap-1 text-2 ${has ? "text-ok" : "text-warn"}`}>
                  <Icon size={14} aria-hidden="true" />
                  {t(has ? "there" : "missing")}
                </span>
              )}
            </span>
          );
        })}
      </dd>
    </div>
  );
}
