import { Redis } from "ioredis";

type SendCommand = Redis["sendCommand"];

/**
 * A connection to Redis that writes the commands of one turn of the event loop together, in order. Under load, a write
 * to the socket costs more than its content.
 */
export class GatheringRedis extends Redis {
  override sendCommand(...sent: Parameters<SendCommand>): ReturnType<SendCommand> {
    const { stream } = this;
    if (stream?.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return super.sendCommand(...sent);
  }
}
