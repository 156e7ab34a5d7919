import { bytes } from "./ids";
import { type Base, type Outgoing, PROTOCOL } from "./messages";
import { encode } from "./msgpack";

const wireBase = ({ version, last }: Base) => [version, last === null ? null : bytes(last)];

/** One frame of the websocket. */
export function encodeFrame(message: Outgoing): Uint8Array<ArrayBuffer> {
  return encode(wire(message));
}

function wire(message: Outgoing): unknown {
  switch (message.t) {
    case "hello": {
      const { version, last } = message.base;
      return {
        t: "hello",
        protocol: PROTOCOL,
        session: bytes(message.session),
        version,
        last: last === null ? null : bytes(last),
      };
    }
    case "ping":
      return { t: "ping", n: message.n };
    case "hint":
      return { t: "hint", id: bytes(message.id), base: wireBase(message.base) };
    case "command": {
      const { t, ...fields } = message.command;
      return { t, id: bytes(message.id), base: wireBase(message.base), ...fields };
    }
  }
}
