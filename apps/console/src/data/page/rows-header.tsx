import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../records/model/resource.ts";
import type { NavigationResource } from "../../shell/navigation.ts";
import { PinButton } from "../../shell/pin-button.tsx";
import { Plus } from "../../ui/icons.generated.ts";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";

/** The name of the table or view, and what one can do with the whole of it. */
export function RowsHeader({
  resource,
  onNew,
  children,
}: {
  readonly resource: NavigationResource;
  /** Null for a person who may not create rows. */
  readonly onNew: (() => void) | null;
  readonly children?: ReactNode;
}) {
  const t = useTranslations("grid");
  return (
    <header className="flex min-h-11 items-center gap-2 border-line border-b px-3.5 py-2">
      <h1 className="flex min-w-0 items-baseline gap-1.5">
        <span className="truncate text-ink-2 max-sm:hidden" dir="auto">
          {resource.schema} /
        </span>
        <span className="truncate text-4 font-semibold" dir="auto" title={resource.name}>
          {titleOf(resource)}
        </span>
      </h1>
      {resource.description !== null && (
        <p
          dir="auto"
          className="min-w-0 flex-1 truncate text-ink-2 max-md:hidden"
          title={resource.description}
        >
          {resource.description}
        </p>
      )}
      <span className="flex-1" />
      <PinButton entry={{ kind: "resource", id: resource.id }} name={titleOf(resource)} />
      {children}
      {onNew !== null && (
        <ToolButton kind="primary" onClick={onNew}>
          <Plus size={15} aria-hidden="true" />
          {t("new")}
          <KeyHint>N</KeyHint>
        </ToolButton>
      )}
    </header>
  );
}
