import { useTranslations } from "use-intl";
import { ariaKeys } from "../shell/keys.ts";
import { KeysHint } from "../shell/keys-hint.tsx";
import { Mark } from "../ui/mark.tsx";

/** The name of the product, and the button that opens the palette. */
export function SidebarHead({ onSearch }: { readonly onSearch: () => void }) {
  const t = useTranslations();
  return (
    <div className="flex items-center gap-2 pl-1">
      <Mark size={22} />
      <span className="flex-1 font-semibold">{t("product")}</span>
      <button
        type="button"
        aria-keyshortcuts={ariaKeys("Mod+K")}
        onClick={onSearch}
        className="flex h-7 items-center rounded-control px-1 hover:bg-sunken"
      >
        <span className="sr-only">{t("palette.open")} </span>
        <KeysHint keys="Mod+K" isRead />
      </button>
    </div>
  );
}
