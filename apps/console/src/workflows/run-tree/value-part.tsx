import { writeJson } from "@rowhouse/client";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { prettyJson } from "../../records/values/pretty-json.ts";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useCopied } from "../../ui/use-copied.ts";
import { PanelPart } from "./panel-part.tsx";

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
