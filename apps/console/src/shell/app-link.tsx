import { useRouter } from "@tanstack/react-router";
import { type ComponentProps, type MouseEvent, useCallback } from "react";

/**
 * A link to a page of this application by its address. Unlike the router's own it follows no state, so that a list of
 * thousands stays fast; a press with a modifier opens a tab as usual.
 */
export function AppLink({
  href,
  onClick,
  ...others
}: ComponentProps<"a"> & { readonly href: string }) {
  const open = useOpen();
  const onPress = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || event.button !== 0 || !isPlain) return;
    event.preventDefault();
    open(href);
  };
  return <a {...others} href={href} onClick={onPress} />;
}

/** Returns the function that opens a page of this application by its address. */
export function useOpen(): (href: string) => void {
  const router = useRouter();
  return useCallback((href) => void router.navigate({ href }), [router]);
}
