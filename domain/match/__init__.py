"""What happens around any game: opened, seated, started, over; its clock, its luck, who left."""
