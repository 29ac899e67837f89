"""What was committed, told to whoever listens, in whatever process: news over Redis, and the streams made of them."""
