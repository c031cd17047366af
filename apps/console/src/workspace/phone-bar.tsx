import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { Menu, Search, X } from "../ui/icons.generated.ts";
import { Mark } from "../ui/mark.tsx";
import { ModalBox } from "../ui/modal-box.tsx";
import { FrameNavigation } from "./frame-navigation.tsx";

const button =
  "grid size-9 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-sunken hover:text-ink";

/** The bar of narrow windows, where the navigation is a drawer. */
export function PhoneBar(props: {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onSearch: () => void;
  readonly account: ReactNode;
}) {
  const t = useTranslations();
  return (
    <header className="sticky top-0 z-20 flex items-center gap-1 border-line border-b bg-canvas px-2 py-1.5 print:hidden">
      <button
        type="button"
        aria-label={t("workspace.openMenu")}
        aria-expanded={props.isOpen}
        onClick={props.onOpen}
        className={button}
      >
        <Menu size={18} aria-hidden="true" />
      </button>
      <Mark size={22} />
      <span className="ml-1 min-w-0 flex-1 truncate font-semibold">{t("product")}</span>
      <button
        type="button"
        aria-label={t("palette.open")}
        onClick={props.onSearch}
        className={button}
      >
        <Search size={18} aria-hidden="true" />
      </button>
      {props.account}
      {props.isOpen && <Drawer onClose={props.onClose} />}
    </header>
  );
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("workspace");
  const { href } = useLocation();
  const first = useRef(href);
  // A chosen entry closes the drawer.
  useEffect(() => {
    if (href !== first.current) onClose();
  }, [href, onClose]);
  return (
    <ModalBox
      label={t("navigation")}
      onClose={onClose}
      look="m-0 h-dvh max-h-none w-72 max-w-[85vw] border-y-0 border-l-0"
    >
      <div className="flex justify-end px-2 pt-1.5">
        <button type="button" aria-label={t("closeMenu")} onClick={onClose} className={button}>
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      <div className="px-3 pb-6">
        <FrameNavigation />
      </div>
    </ModalBox>
  );
}
