import { writeJson } from "@rowhouse/client";
import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { prettyJson } from "../../records/values/pretty-json.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCopied } from "../../ui/use-copied.ts";

/** The heading of the panel beside a tree. */
export function PanelTitle({ children }: { readonly children: ReactNode }) {
  return (
    <h2 className="border-line border-b px-4 py-2.5 font-semibold text-4 wrap-anywhere">
      {children}
    </h2>
  );
}

/** A part of the panel beside a tree. */
export function PanelPart(props: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-2 border-line border-b px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h3 id={id} className="font-medium text-ink-2">
          {props.title}
        </h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** Facts as pairs of a name and a value. */
export function Facts(props: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[8rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 border-line border-b px-4 py-3">
      {props.facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-2">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Characters that are shown at first; a longer text makes a page slow. */
const shownMax = 20_000;

interface ValuePartProps {
  readonly title: string;
  readonly value: unknown;
  /** What else can be done with the value. */
  readonly actions?: ReactNode;
}

/** A part of a panel with a value as JSON, with every digit. */
export function ValuePart({ title, value, actions }: ValuePartProps) {
  const t = useTranslations("workflows");
  const { isCopied, copy } = useCopied();
  const [isWhole, setWhole] = useState(false);
  const text = prettyJson(writeJson(value ?? null));
  const shown = isWhole || text.length <= shownMax ? text : text.slice(0, shownMax);
  return (
    <PanelPart
      title={title}
      aside={
        <span className="-my-1 -mr-2.5 flex flex-wrap">
          {actions}
          <ToolButton
            kind="bare"
            aria-label={isCopied ? t("copied") : t("copyOf", { name: title })}
            onClick={() => copy(writeJson(value))}
          >
            {t(isCopied ? "copied" : "copy")}
          </ToolButton>
        </span>
      }
    >
      <ScrollRegion label={t("asJson", { name: title })} className="max-h-96">
        <pre className="p-3 font-mono text-2 leading-[18px] whitespace-pre-wrap wrap-anywhere">
          <code dir="auto">{shown}</code>
        </pre>
      </ScrollRegion>
      {shown.length < text.length && (
        <ToolButton onClick={() => setWhole(true)}>
          {t("showAll", { count: text.length })}
        </ToolButton>
      )}
    </PanelPart>
  );
}

interface ErrorBlockProps {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly reason?: string | undefined;
  };
  /** Where it is: a path of a step, and the field. */
  readonly place?: string;
  /** What mends it. */
  readonly children?: ReactNode;
}

/** Characters of a message that are shown at first. */
const messageMax = 300;

/** Why a step or a run has failed. */
export function ErrorBlock({ error, place, children }: ErrorBlockProps) {
  const t = useTranslations("workflows");
  const { code, message, reason } = error;
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && message.length > messageMax;
  return (
    <section
      aria-label={t("error")}
      className="grid gap-2 border-line border-b bg-danger-soft px-4 py-3"
    >
      <p className="font-medium text-danger wrap-anywhere">
        <code className="font-mono">{code}</code> {place !== undefined && <bdi>{place}</bdi>}
      </p>
      <p lang="en" className="wrap-anywhere">
        {isCut ? `${message.slice(0, messageMax)}…` : message}
      </p>
      {reason !== undefined && (
        <p lang="en" className="wrap-anywhere">
          {reason}
        </p>
      )}
      {isCut && (
        <ToolButton className="justify-self-start" onClick={() => setWhole(true)}>
          {t("showAll", { count: message.length })}
        </ToolButton>
      )}
      {children}
    </section>
  );
}
