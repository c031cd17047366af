import { useEffect } from "react";
import { useTranslations } from "use-intl";

/** Sets the title of the browser's window. */
export function useTitle(title: string): void {
  const product = useTranslations()("product");
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
}
