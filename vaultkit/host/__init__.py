"""The ways of playing, each as one class that its clients view and give orders to; no words of a client, no markup."""
