import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { LockList, LossList, PaneSection } from "../changes/change-lists.tsx";
import { SqlText } from "../changes/sql-text.tsx";
import { keysFilter } from "../records/model/resource.ts";
import { type NavigationResource, navigationQuery, resourcePath } from "../shell/navigation.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { classes, linkClasses } from "../ui/classes.ts";
import { FoldButton } from "../ui/fold-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { PlanStep } from "./configuration-queries.ts";
import { StepChanges } from "./step-changes.tsx";

interface PlanStepItemProps {
  readonly step: PlanStep;
  readonly consents: ReadonlySet<string>;
  readonly onConsent: (name: string, isGiven: boolean) => void;
}

const looks = {
  new: { sign: "+", look: "bg-ok-soft text-ok" },
  changed: { sign: "~", look: "bg-warn-soft text-warn" },
  gone: { sign: "−", look: "bg-danger-soft text-danger" },
} as const;

/** One step of a plan: what it does to what, and its effects. */
export function PlanStepItem({ step, consents, onConsent }: PlanStepItemProps) {
  const t = useTranslations("configuration");
  const { kind, subject, document, sql, locks, losses, failing, needsConsent, notes } = step;
  const { changes, moreChanges, isOptional } = step;
  const isLoud = needsConsent.length > 0 || failing.length > 0;
  const [isOpen, setOpen] = useState(isLoud);
  const hasDetails = [sql, changes, locks, losses, failing, needsConsent, notes].some(
    ({ length }) => length > 0,
  );
  const { sign, look } = looks[effectOf(step)];
  const head = (
    <>
      <span
        aria-hidden="true"
        className={classes(
          "grid size-5 shrink-0 place-items-center rounded-control font-mono text-2",
          look,
        )}
      >
        {sign}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span>{t(`kinds.${kind.replaceAll("-", "_").replace(".", "_") as StepName}`)}</span>
        <bdi className="min-w-0 font-medium wrap-anywhere">{subject}</bdi>
        <code className="font-mono text-2 text-ink-2 wrap-anywhere md:ml-auto">{document}</code>
      </span>
    </>
  );
  return (
    <li className="border-line border-b last:border-b-0">
      {hasDetails ? (
        <FoldButton isOpen={isOpen} onToggle={setOpen} className="gap-2 px-3 py-2 hover:bg-sunken">
          {head}
        </FoldButton>
      ) : (
        <div className="flex min-h-6 items-center gap-2 py-2 pr-3 pl-8.5">{head}</div>
      )}
      {isOpen && hasDetails && (
        <div className="border-line border-t bg-sunken/40">
          {failing.length > 0 && <FailingRows step={step} />}
          {losses.length > 0 && <LossList losses={losses} />}
          {needsConsent.length > 0 && (
            <PaneSection {...(losesRows(step) ? { title: t("consent") } : {})}>
              {isOptional && <p className="text-ink-2">{t("optional")}</p>}
              {needsConsent.map((name) => (
                <Consent key={name} {...{ name, step, onConsent }} isGiven={consents.has(name)} />
              ))}
            </PaneSection>
          )}
          {locks.length > 0 && <LockList locks={locks} notes={notes} />}
          {locks.length === 0 && notes.length > 0 && (
            <PaneSection>
              {notes.map((note) => (
                <p key={note} lang="en" className="text-2 text-ink-2 wrap-anywhere">
                  {note}
                </p>
              ))}
            </PaneSection>
          )}
          {changes.length + moreChanges > 0 && <StepChanges step={step} />}
          {sql.length > 0 && !(kind === "sql.replace" && changes.length > 0) && (
            // Of a changed statement, its changed lines say more than the whole of it.
            <PaneSection title={t("sql")}>
              <SqlText statements={sql} />
            </PaneSection>
          )}
        </div>
      )}
    </li>
  );
}

type Hyphens<Text extends string> = Text extends `${infer Start}-${infer Rest}`
  ? `${Start}_${Hyphens<Rest>}`
  : Text;
type StepName = PlanStep["kind"] extends infer Kind
  ? Kind extends `${infer Noun}.${infer Verb}`
    ? `${Hyphens<Noun>}_${Verb}`
    : never
  : never;

function effectOf({ kind, needsConsent }: PlanStep): keyof typeof looks {
  if (needsConsent.some(isLoss) || /\.(?:drop|delete)$/.test(kind)) return "gone";
  return kind.endsWith(".create") ? "new" : "changed";
}

/** Other consents admit a function that runs with the rights of the service's login. */
function isLoss(consent: string): boolean {
  return !consent.startsWith("definer:");
}

/** Rows go for good with a table and with a column, so their name is typed. */
function losesRows({ kind, needsConsent }: PlanStep): boolean {
  const isTable = kind === "table.drop" || kind === "table.alter";
  return isTable || needsConsent.some((name) => name.startsWith("drop:table:"));
}

interface ConsentProps {
  readonly name: string;
  readonly step: PlanStep;
  readonly isGiven: boolean;
  readonly onConsent: (name: string, isGiven: boolean) => void;
}

function Consent({ name, step, isGiven, onConsent }: ConsentProps) {
  const t = useTranslations("configuration");
  const [typed, setTyped] = useState("");
  const object = name.replace(/^[a-z]+:(?:table:)?/, "");
  if (!losesRows(step)) {
    // A view loses columns, each with a consent of its own.
    const lost = step.kind === "view.replace" ? object : step.subject;
    return (
      <Checkbox
        label={isLoss(name) ? t("consentTo", { name: lost }) : t("definer", { name: object })}
        isChecked={isGiven}
        onChange={(isChecked) => onConsent(name, isChecked)}
      />
    );
  }
  return (
    <div className="max-w-110">
      <TextField
        label={t("typeName", { name: object })}
        name={name}
        autoComplete="off"
        value={typed}
        onChange={(text) => {
          setTyped(text);
          onConsent(name, text === object);
        }}
      />
    </div>
  );
}

/** Rows that stand in the way, with the link to those that the service names. */
function FailingRows({ step }: { readonly step: PlanStep }) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  const { data: navigation } = useQuery(navigationQuery);
  const [{ schema, table } = { schema: "", table: "" }] = step.locks;
  const resource = navigation?.resources.find((one) => one.schema === schema && one.name === table);
  return (
    <PaneSection title={t("failingRows")}>
      <ul className="grid gap-1">
        {step.failing.map(({ path, message, rows, keys }) => (
          <li key={`${path} ${message}`} className="wrap-anywhere text-danger">
            <span lang="en">{message}</span>
            {rows !== null && <bdi> ({format.number(rows)})</bdi>}{" "}
            {keys.length > 0 && (
              <RowsLink resource={resource} keys={keys}>
                {t("firstKey", { count: keys.length, key: keys[0]?.join(", ") ?? "" })}
              </RowsLink>
            )}
          </li>
        ))}
      </ul>
    </PaneSection>
  );
}

interface RowsLinkProps {
  /** Undefined for a table that the person may not read. */
  readonly resource: NavigationResource | undefined;
  readonly keys: readonly (readonly string[])[];
  readonly children: ReactNode;
}

function RowsLink({ resource, keys, children }: RowsLinkProps) {
  if (resource === undefined || resource.primaryKey.length === 0) return children;
  const where = encodeURIComponent(JSON.stringify(keysFilter(resource, keys)));
  return (
    // Beside the plan, whose files are in no address.
    <a
      href={`${resourcePath(resource)}?where=${where}`}
      target="_blank"
      rel="noopener"
      className={linkClasses}
    >
      {children}
    </a>
  );
}
