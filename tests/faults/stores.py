"""Stores that are killed: one Redis, Sentinels with a primary and replicas, a Cluster."""

from __future__ import annotations

import random
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

from redis import Redis
from redis.exceptions import RedisError

from ..store.servers import answers, redis_server, wait_until
from ..store.test_cluster import free_ports

FAILED_OVER_WITHIN = 40.0
SYNCED_WITHIN = 60.0


class Store(Protocol):
    """A store of the tests'. Its methods block."""

    @property
    def url(self) -> str: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Node:
    """One redis-server on a loopback port; killed and started again it is at the same place."""

    def __init__(self, port: int, directory: Path, *options: str) -> None:
        self.port = port
        self._directory = directory
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.client = Redis(port=port, socket_timeout=5, socket_connect_timeout=5)

    def start(self, *more: str) -> None:
        self._directory.mkdir(exist_ok=True)
        common = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._directory), "--save", "")
        self._process = redis_server(*common, *self._options, *more)
        wait_until(partial(answers, socket.AF_INET, ("127.0.0.1", self.port)))

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self.client.connection_pool.disconnect()

    def kill_between_syncs(self) -> None:
        """Kill it at a moment when no fsync is under way.

        Under `appendfsync everysec` Redis goes on to acknowledge, but for up to two seconds does not write, while the
        fsync before takes its time; what it holds back then is lost with it, however well everybody else behaves.
        """
        wait_until(lambda: not self.client.info("persistence")["aof_pending_bio_fsync"], SYNCED_WITHIN)
        self.kill()

    def say(self, *command: str | int) -> Any:
        return cast("Any", self.client).execute_command(*command)

    def replication(self) -> dict[str, Any]:
        try:
            return self.client.info("replication")
        except RedisError:
            return {"role": "away"}

    def is_synced_replica(self) -> bool:
        known = self.replication()
        return bool(known["role"] == "slave" and known["master_link_status"] == "up")

    # The password is one that the primary does not ask for, so it refuses the replica that offers it.

    def cut_from_primary(self) -> None:
        self.client.config_set("masterauth", "wrong")
        self.say("CLIENT", "KILL", "TYPE", "master")

    def mend(self) -> None:
        self.client.config_set("masterauth", "")


class OneRedis:
    """A single redis-server with an append-only file."""

    def __init__(self, directory: Path, fsync: str = "everysec") -> None:
        self.node = Node(free_ports(1)[0], directory / "redis", "--appendonly", "yes", "--appendfsync", fsync)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.node.port}"

    def start(self) -> None:
        self.node.start()

    def stop(self) -> None:
        self.node.kill()

    def kill_and_restart(self) -> None:
        self.node.kill()
        self.node.start()


class Sentinels:
    """A primary with two replicas, and three Sentinels that watch them."""

    def __init__(self, directory: Path, *options: str) -> None:
        directory.mkdir(exist_ok=True)
        self._directory = directory
        ports = free_ports(6)
        common = ("--appendonly", "no", "--repl-diskless-sync-delay", "0", *options)
        self.nodes = [Node(port, directory / str(port), *common) for port in ports[:3]]
        self._sentinels = ports[3:]
        self._watching: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{port}" for port in self._sentinels) + "/game"

    def start(self) -> None:
        primary, *replicas = self.nodes
        primary.start()
        for replica in replicas:
            replica.start("--replicaof", "127.0.0.1", str(primary.port))
        for replica in replicas:
            wait_until(replica.is_synced_replica)
        for port in self._sentinels:
            config = self._directory / f"{port}.conf"
            config.write_text(
                f"port {port}\nbind 127.0.0.1\ndir {self._directory}\n"
                f"sentinel monitor game 127.0.0.1 {primary.port} 2\n"
                "sentinel down-after-milliseconds game 500\nsentinel failover-timeout game 3000\n"
            )
            self._watching.append(redis_server(str(config), "--sentinel"))
        wait_until(self._all_known)

    def stop(self) -> None:
        for process in self._watching:
            process.kill()
            process.wait()
        for node in self.nodes:
            node.kill()

    def primary(self) -> Node | None:
        """The node that the Sentinels name, once it is one."""
        with Redis(port=self._sentinels[0]) as sentinel:
            _, port = cast("Any", sentinel).execute_command("SENTINEL GET-MASTER-ADDR-BY-NAME", "game")
        named = next(node for node in self.nodes if node.port == int(port))
        return named if named.replication()["role"] == "master" else None

    def kill_primary(self, *, cut_for: float = 0.0, choose: random.Random | None = None) -> None:
        """Kill the primary and wait for its successor; the killed one comes back as a replica.

        `cut_for`: so long (seconds) before it dies no replica hears of what it takes on.
        """
        del choose
        old = self.primary()
        assert old is not None
        replicas = [node for node in self.nodes if node is not old]
        kill_after_cut(old, replicas, cut_for)
        wait_until(lambda: self.primary() not in {old, None}, FAILED_OVER_WITHIN)
        new = self.primary()
        assert new is not None
        old.start("--replicaof", "127.0.0.1", str(new.port))
        wait_until(self._has_synced_replicas, FAILED_OVER_WITHIN)
        wait_until(self._all_known, FAILED_OVER_WITHIN)

    def _has_synced_replicas(self) -> bool:
        """Of the primary of the moment: on a busy machine the Sentinels may have chosen another one meanwhile."""
        primary = self.primary()
        return primary is not None and all(node.is_synced_replica() for node in self.nodes if node is not primary)

    def _all_known(self) -> bool:
        """Every Sentinel sees two replicas that it could promote, and the two other Sentinels."""
        for port in self._sentinels:
            if not answers(socket.AF_INET, ("127.0.0.1", port)):
                return False
            with Redis(port=port, decode_responses=True) as sentinel:
                say = cast("Any", sentinel).execute_command
                game = say("SENTINEL MASTER", "game")
                replicas = say("SENTINEL REPLICAS", "game")
            able = [each for each in replicas if each["flags"] == "slave" and each["master-link-status"] == "ok"]
            if int(game["num-other-sentinels"]) != 2 or len(able) != 2:
                return False
        return True


def kill_after_cut(primary: Node, replicas: Sequence[Node], cut_for: float) -> None:
    """Kill a primary whose replicas have not heard of it for a while."""
    if cut_for:
        for replica in replicas:
            replica.cut_from_primary()
        wait_until(lambda: primary.replication().get("connected_slaves") == 0)
        # What the primary takes on in this time is what is lost.
        time.sleep(cut_for)
    primary.kill()
    for replica in replicas:
        if cut_for:
            replica.mend()


class Cluster:
    """Three primaries with a replica each."""

    def __init__(self, directory: Path, *options: str) -> None:
        directory.mkdir(exist_ok=True)
        ports = free_ports(12)
        self.nodes = [
            Node(
                port,
                directory / str(port),
                *("--cluster-enabled", "yes", "--cluster-port", str(bus), "--cluster-node-timeout", "1500"),
                *("--cluster-require-full-coverage", "no", "--appendonly", "no", "--repl-diskless-sync-delay", "0"),
                *options,
            )
            for port, bus in zip(ports[:6], ports[6:], strict=True)
        ]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> None:
        tool = shutil.which("redis-cli")
        assert tool is not None
        for node in self.nodes:
            node.start()
        addresses = [f"127.0.0.1:{node.port}" for node in self.nodes]
        subprocess.run(
            [tool, "--cluster", "create", *addresses, "--cluster-replicas", "1", "--cluster-yes"],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=60,
        )
        wait_until(self._is_whole, FAILED_OVER_WITHIN)

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()

    def kill_primary(self, *, cut_for: float = 0.0, choose: random.Random | None = None) -> None:
        """Kill one of the primaries and wait for its successor; the killed one comes back as a replica."""
        primaries = [node for node in self.nodes if node.replication()["role"] == "master"]
        old = (choose or random.Random()).choice(primaries)
        replicas = [node for node in self.nodes if node.replication().get("master_port") == old.port]
        kill_after_cut(old, replicas, cut_for)
        wait_until(lambda: any(each.replication()["role"] == "master" for each in replicas), FAILED_OVER_WITHIN)
        old.start()
        wait_until(self._is_whole, FAILED_OVER_WITHIN)

    def _is_whole(self) -> bool:
        """Every node knows of all slots being served, and every replica is up to date."""
        roles = [node.replication()["role"] for node in self.nodes]
        return (
            roles.count("master") == 3
            and all(node.say("CLUSTER INFO")["cluster_state"] == "ok" for node in self.nodes)
            and all(len(node.say("CLUSTER SHARDS")) == 3 for node in self.nodes)
            and all(node.is_synced_replica() for node, role in zip(self.nodes, roles, strict=True) if role == "slave")
        )
