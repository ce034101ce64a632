"""Tests of the node handlers, without a container."""

import unittest

from messages import GreetReply, GreetRequest
from nodes import greet, greet_all, welcome
from svc_node import NodeFailure, NodePause, Resumed, recording_context


class NodesTest(unittest.TestCase):
    """Calls the handlers as the container does."""

    def test_greets_by_name(self) -> None:
        """Greet, and write a line to the log."""
        context, sent = recording_context()
        reply = greet(GreetRequest(name="Ada"), context)
        self.assertEqual(reply, GreetReply(text="Hello, Ada!"))
        self.assertEqual([message.log.level for message in sent], ["info"])

    def test_refuses_an_empty_name(self) -> None:
        """Fail without retries."""
        context, _ = recording_context()
        with self.assertRaisesRegex(NodeFailure, "name must not be empty") as caught:
            greet(GreetRequest(), context)
        self.assertFalse(caught.exception.retryable)

    def test_greets_each_person_of_a_stream(self) -> None:
        """Greet in the order of the stream."""
        context, _ = recording_context()
        people = iter([GreetRequest(name="Ada"), GreetRequest(name="Grace")])
        texts = [reply.text for reply in greet_all(people, context)]
        self.assertEqual(texts, ["Hello, Ada!", "Hello, Grace!"])

    def test_asks_a_human_for_a_missing_name(self) -> None:
        """End the call with a question."""
        context, _ = recording_context()
        with self.assertRaises(NodePause) as caught:
            welcome(GreetRequest(), context)
        self.assertEqual(caught.exception.ask, {"question": "Who should be welcomed?"})

    def test_welcomes_with_the_name_of_the_decision(self) -> None:
        """Use the decision as the input of the next call."""
        context, _ = recording_context(resumed=Resumed("a-pause", "ann@example.com"))
        reply = welcome(GreetRequest(name="Grace"), context)
        self.assertEqual(reply, GreetReply(text="Welcome, Grace!"))


if __name__ == "__main__":
    unittest.main()
