import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslations } from "use-intl";
import { useCommands } from "../shell/commands.ts";
import { navigationQuery, personQuery } from "../shell/navigation.ts";
import { Palette } from "../shell/palette.tsx";
import { useRenewal } from "../shell/renewal.ts";
import type { Session } from "../shell/session.ts";
import { usePreferenceSync } from "../shell/use-preference-sync.ts";
import { useReturnToSignIn } from "../shell/use-return-to-sign-in.ts";
import { useSession } from "../shell/use-session.ts";
import { useWide } from "../ui/use-wide.ts";
import { AccountMenu } from "./account-menu.tsx";
import { useActionCommands, usePageCommands } from "./frame-commands.ts";
import { FrameNavigation } from "./frame-navigation.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { SidebarHead } from "./sidebar-head.tsx";
import { useFrameDialogs } from "./use-frame.ts";
import { useRecent } from "./use-recent.ts";
import { ViewedBanner } from "./viewed-banner.tsx";

const RenewalDialog = lazy(async () => ({
  default: (await import("../shell/renewal-dialog.tsx")).RenewalDialog,
}));
const ShortcutDialog = lazy(async () => ({
  default: (await import("../shell/shortcut-dialog.tsx")).ShortcutDialog,
}));

/** The frame of every page behind the sign-in: what the person may open, and their account. */
export function WorkspaceFrame() {
  const session = useSession();
  useReturnToSignIn(session);
  return session === null ? null : <Frame session={session} />;
}

function Frame({ session }: { readonly session: Session }) {
  const t = useTranslations("workspace");
  const { data: person } = useQuery(personQuery);
  const { data: navigation } = useQuery(navigationQuery);
  const { dialog, show, close, showShortcuts } = useFrameDialogs();
  usePreferenceSync();
  useRecent(navigation);
  useCommands(usePageCommands(navigation, person));
  useCommands(useActionCommands(showShortcuts));
  const isRenewing = useRenewal();
  const isWide = useWide();
  const openPalette = () => show("palette");
  const account = (
    <AccountMenu
      name={person?.name || session.user.name || session.user.email}
      email={person?.email ?? session.user.email}
    />
  );
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[220px_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="fixed top-2 left-2 z-30 -translate-y-20 rounded-control bg-accent px-3 py-1.5 text-accent-ink focus-visible:translate-y-0"
      >
        {t("skip")}
      </a>
      {isWide ? (
        <header className="sticky top-0 grid h-dvh grid-rows-[auto_minmax(0,1fr)_auto] border-line border-r print:hidden">
          <div className="p-3">
            <SidebarHead onSearch={openPalette} />
          </div>
          <div className="overflow-y-auto px-2 pb-3">
            <FrameNavigation />
          </div>
          <div className="border-line border-t p-2">{account}</div>
        </header>
      ) : (
        <PhoneBar
          isOpen={dialog === "menu"}
          onOpen={() => show("menu")}
          onClose={close}
          onSearch={openPalette}
          account={account}
        />
      )}
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <ViewedBanner />
        <Outlet />
      </main>
      <Suspense>{isRenewing && <RenewalDialog session={session} />}</Suspense>
      {/* Part of this script: letters that arrive while another one loads would be lost, or be shortcuts of the page. */}
      {dialog === "palette" && <Palette onClose={close} />}
      <Suspense>{dialog === "shortcuts" && <ShortcutDialog onClose={close} />}</Suspense>
    </div>
  );
}
