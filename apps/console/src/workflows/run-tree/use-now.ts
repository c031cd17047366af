import { useEffect, useState } from "react";

const stepMs = 500;

/** The present in milliseconds since 1970, renewed while something is in progress. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
