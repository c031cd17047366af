import { type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { LanguageSelect, ThemeSelect } from "../shell/preference-selects.tsx";
import { useTitle } from "../shell/use-title.ts";
import { classes } from "../ui/classes.ts";
import { Mark } from "../ui/mark.tsx";

interface AuthPageProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
  /** Below the panel: the ways to other pages. */
  readonly aside?: ReactNode;
  /** Whether there is more to read than a form. */
  readonly isWide?: boolean;
}

/** The frame of every page of the sign-in area. A page that follows another begins at its heading. */
export function AuthPage({ title, text, children, aside, isWide = false }: AuthPageProps) {
  const product = useTranslations()("product");
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (title !== "" && document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <div className="grid min-h-dvh grid-rows-[1fr_auto] justify-items-center px-4">
      <main
        className={classes(
          "grid w-full content-start pt-8 pb-8",
          isWide ? "max-w-115 sm:pt-[4vh]" : "max-w-90 sm:pt-[16vh]",
        )}
      >
        <div className="mb-6 flex items-center justify-center gap-2">
          <Mark />
          <span className="text-4 font-semibold">{product}</span>
        </div>
        <div className="grid gap-5 rounded-panel border border-line bg-surface p-6">
          <div className="grid gap-1">
            <h1 ref={heading} tabIndex={-1} className="text-5 font-semibold outline-none">
              {title}
            </h1>
            {text !== undefined && <p className="text-ink-2">{text}</p>}
          </div>
          {children}
        </div>
        {aside !== undefined && <div className="mt-4 text-center text-ink-2">{aside}</div>}
      </main>
      <footer className="flex flex-wrap justify-center gap-x-6 gap-y-2 pb-6">
        <LanguageSelect />
        <ThemeSelect />
      </footer>
    </div>
  );
}
