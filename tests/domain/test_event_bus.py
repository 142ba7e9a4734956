from __future__ import annotations

import asyncio
import gc
import threading

from qdash_jupyter.domain.event_bus import EventBus, Subscription
from tests.patience import PATIENCE_S


async def read(subscription: Subscription[int]) -> list[int]:
    return [event async for event in subscription]


def test_each_subscription_has_what_was_published_since_in_order() -> None:
    bus: EventBus[int] = EventBus()
    bus.publish(0)
    first = bus.subscribe()
    bus.publish(1)
    second = bus.subscribe()
    bus.publish(2)
    bus.close()
    bus.publish(3)
    assert second.pending() == [2, 3]
    assert asyncio.run(read(first)) == [1, 2, 3]


def test_published_on_one_thread_and_read_on_the_loops_of_others() -> None:
    bus: EventBus[int] = EventBus()
    seen: list[list[int]] = []
    readers = [
        threading.Thread(target=lambda subscription: seen.append(asyncio.run(read(subscription))), args=(each,))
        for each in [bus.subscribe() for _ in range(3)]
    ]
    for reader in readers:
        reader.start()
    for number in range(5_000):
        bus.publish(number)
    bus.close()
    for reader in readers:
        reader.join()
    assert seen == [list(range(5_000))] * 3


def test_a_reader_that_was_cancelled_goes_on_later() -> None:
    bus: EventBus[int] = EventBus()
    subscription = bus.subscribe()

    async def impatient() -> None:
        reading = asyncio.ensure_future(anext(subscription))
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait([reading])
        bus.publish(1)
        assert await anext(subscription) == 1

    asyncio.run(impatient())


def test_a_reader_that_nobody_else_knows_is_not_lost_while_it_waits() -> None:
    """An event loop holds the tasks that wait only weakly."""
    bus: EventBus[int] = EventBus()
    seen: list[int] = []
    done = asyncio.Event()

    async def reader() -> None:
        async for event in bus.subscribe():
            seen.append(event)  # noqa: PERF401
        done.set()

    async def main() -> None:
        asyncio.ensure_future(reader())  # noqa: RUF006 - that nobody holds it is the point
        await asyncio.sleep(0)
        gc.collect()
        bus.publish(1)
        bus.close()
        await done.wait()

    asyncio.run(asyncio.wait_for(main(), PATIENCE_S))
    assert seen == [1]


def test_who_lets_go_of_a_subscription_has_unsubscribed() -> None:
    bus: EventBus[int] = EventBus()
    kept, dropped = bus.subscribe(), bus.subscribe()
    del dropped
    gc.collect()
    bus.publish(1)
    assert kept.pending() == [1]
    assert len(bus._subscriptions) == 1


def test_a_reader_whose_loop_is_closed_harms_nobody() -> None:
    bus: EventBus[int] = EventBus()
    left, other = bus.subscribe(), bus.subscribe()
    loop = asyncio.new_event_loop()
    reading = loop.create_task(anext(left))
    loop.run_until_complete(asyncio.sleep(0))
    reading.cancel()
    loop.close()
    bus.publish(1)
    assert other.pending() == [1]
