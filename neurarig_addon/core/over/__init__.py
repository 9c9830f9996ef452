"""What is posed over a walk or a clip: hands, chest and head that go to things, while hips and feet stay as they are."""
